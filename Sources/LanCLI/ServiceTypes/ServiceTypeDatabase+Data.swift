extension ServiceTypeDatabase {
  /// A line for each type: the service name, `t`, `u` or `b` for TCP, UDP or both, and what it is;
  /// sorted by the bytes of the name.
  ///
  /// One literal costs nothing at start: it is looked up where it stands.
  static let data = """
    1password t 1Password password sync
    adisk t Time Machine backup disk
    afpovertcp t Apple file sharing (AFP)
    airdroid t AirDroid device
    airplay t AirPlay display
    airport t AirPort base station
    amzn-alexa t Amazon Alexa device
    amzn-wplay t Amazon Fire TV
    androidtvremote t Android TV remote control
    androidtvremote2 t Android TV remote control, version 2
    apple-mobdev t iPhone or iPad wireless sync
    apple-mobdev2 t iPhone or iPad wireless sync, version 2
    apple-pairable t Apple device ready to pair
    appletv-v2 t Apple TV with home sharing
    arduino t Arduino board, updated over the air
    audirvana-ap t Audirvana audio player
    axis-video t Axis network camera
    bitcoin t Bitcoin node
    blackmagic t Blackmagic video device
    bluos t BluOS music player
    bp2p t Peer-to-peer backup
    canon-bjnp1 t Canon printer or scanner
    ceph t Ceph storage
    coap b CoAP (Internet of things)
    coaps b CoAP over TLS or DTLS
    companion-link t Apple device link
    controlbooth t Media remote control
    cros_p2p t Chrome OS update sharing
    cytv t CyTV
    daap t Music library (DAAP)
    dacp t Music remote control (DACP)
    ddp t Distributed display
    device-info t Device information
    distcc t Distributed compiler
    dns-llq u DNS long-lived queries
    dns-push-tls t DNS push notifications
    dns-sd u DNS-SD domain enumeration
    dns-update u DNS update
    dnssd-srp b Service registration (SRP)
    dnssd-srp-tls t Service registration (SRP) over TLS
    domain b DNS server
    dpap t Photo library (DPAP)
    dyson_mqtt t Dyson appliance
    eero t eero router
    elg t Elgato light
    eppc t Remote Apple events
    esphomelib t ESPHome device
    eufy t eufy device
    fbx-api t Freebox server interface
    fbx-devices t Freebox devices
    ftp t File transfer (FTP)
    ftps t File transfer over TLS (FTPS)
    gamecenter t Game Center
    git t Git repository
    gntp t Growl notifications
    googlecast t Google Cast device
    googlezone t Google Cast group
    hap t HomeKit accessory
    hap u HomeKit accessory (Thread)
    hdhomerun t HDHomeRun tuner
    heos-audio t Denon HEOS speaker
    home-assistant t Home Assistant
    home-sharing t Apple home sharing
    homekit t HomeKit home hub
    homewizard t HomeWizard energy meter
    http t Web site
    http-alt t Web site on another port
    https t Secure web site
    hue t Philips Hue bridge
    hyperiond-json t Hyperion ambient light
    iax u Asterisk exchange (IAX)
    ica-networking t Image capture
    ichat t iChat
    imap t Mail server (IMAP)
    imaps t Mail server over TLS (IMAPS)
    influxdb t InfluxDB database
    ipp t Internet printer (IPP)
    ipps t Internet printer over TLS (IPPS)
    ippusb t Printer on USB (IPP)
    irc t Internet relay chat
    iscsi t iSCSI storage
    jabber t Jabber client
    jenkins t Jenkins build server
    kdeconnect u KDE Connect device
    kerberos b Kerberos
    keynoteaccess t Keynote remote access
    keynotepair t Keynote remote pairing
    kpasswd u Kerberos password change
    ldap t Directory (LDAP)
    ldaps t Directory over TLS (LDAPS)
    leap t Leap device
    libratone t Libratone speaker
    linkplay t LinkPlay speaker
    llrp-secure t RFID reader (LLRP)
    loxone t Loxone smart home
    lutron t Lutron light control
    lxd t LXD containers
    matter t Matter node
    matterc u Matter device to be commissioned
    matterd u Matter commissioner
    mediaremotetv t Apple TV remote control
    meshcop u Thread border router
    meshcop-e u Thread border router, ephemeral key
    mieleathome t Miele appliance
    miio u Xiaomi device
    modbus t Modbus device
    mongodb t MongoDB database
    mpd t Music player daemon
    mqtt t MQTT broker
    ms-sql-s t Microsoft SQL server
    msrps t Message session relay
    mumble b Mumble voice chat
    mysql t MySQL database
    nanoleafapi t Nanoleaf light
    nanoleafms t Nanoleaf light
    ndi t NDI video source
    net-assistant u Apple remote desktop
    netconf-ssh t Network configuration (NETCONF)
    nfs t Network file system (NFS)
    nmea-0183 b Navigation data (NMEA 0183)
    nomachine t NoMachine remote desktop
    ntp u Network time
    nut t Uninterruptible power supply (NUT)
    nvstream t NVIDIA game streaming
    nvstream_dbd t NVIDIA game streaming host
    octoprint t OctoPrint 3D printer
    odisk t Shared optical drive
    omnistate t OmniFocus or OmniGraffle sync
    openhab-server t openHAB smart home
    osc b Open Sound Control
    owserver t 1-Wire sensors
    parrot t Parrot drone
    pdl-datastream t Printer, raw socket (port 9100)
    perforce t Perforce repository
    pgpkey-hkp t PGP key server
    pgpkey-ldap t PGP directory
    photoshopserver t Adobe Photoshop remote
    plexmediasvr t Plex media server
    plugwise t Plugwise energy meter
    pop3 t Mail server (POP3)
    pop3s t Mail server over TLS (POP3S)
    postgresql t PostgreSQL database
    powerview t Hunter Douglas shades
    presence t Chat nearby (XMPP)
    printer t Line printer (LPD)
    privet t Google cloud device
    prometheus-http t Prometheus metrics
    ptp t Camera (PTP over IP)
    ptp-init t Camera, initiator (PTP over IP)
    pulse-server t PulseAudio sound server
    pulse-sink t PulseAudio speaker
    pulse-source t PulseAudio microphone
    qdiscover t QNAP device
    qmobile t QNAP storage
    rabbitmq t RabbitMQ messages
    raop t AirPlay speaker
    rdlink t Apple device link
    rdp t Remote desktop (RDP)
    readynas t Netgear ReadyNAS storage
    redis t Redis store
    remotepairing t Apple device pairing
    rfb t Screen sharing (VNC)
    riousbprint t Printer on an AirPort station
    roku-rcp t Roku player
    rsp t Music library (Roku)
    rsync t File synchronization (rsync)
    rtsp b Media stream (RTSP)
    samsungmsf t Samsung smart TV
    sane-port t Scanner (SANE)
    scanner t Scanner
    scpi-raw t Laboratory instrument, raw (SCPI)
    scpi-telnet t Laboratory instrument, telnet (SCPI)
    servermgr t Apple server administration
    sftp-ssh t File transfer over SSH (SFTP)
    shelly t Shelly switch
    sip b Internet telephony (SIP)
    sips t Internet telephony over TLS (SIPS)
    sleep-proxy u Sleep proxy
    slimdevices t Squeezebox player
    slpda t SLP directory agent
    smb t Windows file sharing (SMB)
    smtp t Mail relay (SMTP)
    snmp u Network management (SNMP)
    sonos t Sonos speaker
    soundtouch t Bose SoundTouch speaker
    spotify-connect t Spotify Connect speaker
    ssh t Remote login (SSH)
    ssscreenshare t Screen sharing control
    stun b NAT traversal (STUN)
    submission t Mail submission
    svn t Subversion repository
    syncthing t Syncthing file synchronization
    syslog u System log
    teamviewer t TeamViewer remote control
    telnet t Remote login (telnet)
    tftp u Trivial file transfer (TFTP)
    timbuktu t Timbuktu remote control
    tivo-videos t TiVo recordings
    touch-able t Apple TV or iTunes remote control
    touch-remote t iOS remote control
    trel u Thread radio encapsulation
    turn b NAT relay (TURN)
    ubnt t Ubiquiti device
    udisks-ssh t Disk management over SSH
    uscan t Scanner (eSCL)
    uscans t Scanner over TLS (eSCL)
    viziocast t Vizio cast
    vlc-http t VLC remote control
    volumio t Volumio music player
    vxi-11 t Laboratory instrument (VXI-11)
    webdav t Web folder (WebDAV)
    webdavs t Secure web folder (WebDAV)
    webthing t Web of things device
    wifile t File transfer over Wi-Fi
    witap t WiTap game, version 1
    witap2 t WiTap game, version 2
    wled t WLED light
    workstation t Workstation
    xbmc-events u Kodi events
    xbmc-jsonrpc t Kodi remote control
    xbmc-jsonrpc-h t Kodi remote control over HTTP
    xbmc-web t Kodi web interface
    xmpp-client t Chat server (XMPP)
    xmpp-server t Chat between servers (XMPP)
    xserveraid t Xserve RAID storage
    z-wave t Z-Wave controller
    zigbee-gateway t Zigbee gateway
    zwave-js-server t Z-Wave JS server

    """
}
