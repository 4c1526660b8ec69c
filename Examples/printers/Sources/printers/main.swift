import LanCore
import LanSystem
import LanWire

// The printers on this network, once each, until the list is complete.
let reactor = try Reactor()
var search = ServiceBrowserMachine.Configuration(domain: try DNSName("local"))
search.types = [ServiceType(service: "ipp", transport: "tcp")]
let browser = ServiceBrowser(.init(search), on: reactor)
browser.onEvent = { event in
  switch event {
  case .added(let service):
    let addresses = service.addresses.map { "\($0)" }.joined(separator: " ")
    print(service.name, service.port ?? 0, addresses)
  case .settled: reactor.stop()
  default: break
  }
}
try browser.start()
try reactor.run()
