import LanCore
import LanSystem
import LanWire

/// The services as a table: a row for each name, whatever interfaces it was seen on.
struct BrowseTable {
  /// A row, not yet cut to the width of the terminal.
  struct Row: Hashable {
    var name: String
    var cells: [String]
    var isOwn = false
  }

  /// A column and how narrow it may get.
  private struct Column {
    let title: String
    let minimum: Int
  }

  private static let columns = [
    Column(title: "NAME", minimum: 12), Column(title: "SERVICE", minimum: 10),
    Column(title: "INTERFACE", minimum: 9), Column(title: "HOST", minimum: 12),
    Column(title: "ADDRESS", minimum: 15),
  ]
  private static let gap = 2

  private let resolves: Bool
  private var keys: [DNSName: [UInt8]] = [:]

  init(resolves: Bool) { self.resolves = resolves }

  // MARK: Rows

  /// The rows for `services`, sorted by name as the user's locale has it.
  mutating func rows(_ services: [DiscoveredService]) -> [Row] {
    var groups: [DNSName: [DiscoveredService]] = [:]
    for service in services { groups[service.name, default: []].append(service) }
    // What has gone needs no place any more.
    if keys.count > 2 * groups.count + 64 { keys = keys.filter { groups[$0.key] != nil } }
    var sorted: [(key: [UInt8], name: DNSName)] = []
    for name in groups.keys { sorted.append((key(name), name)) }
    sorted.sort {
      $0.key == $1.key
        ? $0.name.wire.lexicographicallyPrecedes($1.name.wire)
        : $0.key.lexicographicallyPrecedes($1.key)
    }
    return sorted.map { row(groups[$0.name] ?? []) }
  }

  private mutating func key(_ name: DNSName) -> [UInt8] {
    if let known = keys[name] { return known }
    let key = Collation.key(String(decoding: name.firstLabel ?? [], as: UTF8.self))
    keys[name] = key
    return key
  }

  private func row(_ services: [DiscoveredService]) -> Row {
    let services = services.sorted { ($0.interfaceIndex ?? 0) < ($1.interfaceIndex ?? 0) }
    guard let first = services.first else { return Row(name: "", cells: []) }
    // The link that knows more tells where it is.
    let best = services.first { $0.isComplete } ?? first
    let isOwn = services.contains(where: \.isOwn)
    let meaning =
      ServiceTypeDatabase.meaning(first.type) ?? Self.text { $0.append(type: first.type) }
    let interfaces = services.compactMap(\.interface).map { printable(Array($0.utf8)) }
    var addresses: [String] = []
    for service in services {
      for address in service.addresses {
        let text = printable(Array(address.text(zone: service.interface).utf8))
        if !addresses.contains(text) { addresses.append(text) }
      }
    }
    return Row(
      name: Self.text { $0.append(instance: first) }.shown + (isOwn ? " (own)" : ""),
      cells: [
        meaning.shown, interfaces.joined(separator: ","), host(best).shown,
        addresses.joined(separator: ", "),
      ], isOwn: isOwn)
  }

  private func host(_ service: DiscoveredService) -> String {
    guard resolves else { return "" }
    if service.isPlaceholder { return "(nothing runs there)" }
    guard let host = service.host, let port = service.port else { return "..." }
    return Self.text { $0.append(name: host, escape: .textLabel) } + ":\(port)"
  }

  private static func text(_ write: (inout OutputBuffer) -> Void) -> String {
    var out = OutputBuffer(capacity: 128)
    write(&out)
    return out.withBytes { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
  }

  // MARK: Lines

  /// The title and a line for each row, none wider than `width` columns.
  ///
  /// Columns that nothing stands in are left out, and those at the right where there is no room.
  static func lines(_ rows: [Row], width: Int) -> (title: TableLine, lines: [TableLine]) {
    let natural = columns.indices.map { index in
      let widest = rows.map { cell($0, index).columns }.max() ?? 0
      return widest == 0 ? 0 : max(widest, columns[index].title.columns)
    }
    let widths = fit(natural, into: width)
    let title = line(widths.map { columns[$0.column].title }, widths)
    return (title, rows.map { row in line(widths.map { cell(row, $0.column) }, widths) })
  }

  private static func cell(_ row: Row, _ index: Int) -> String {
    index == 0 ? row.name : row.cells.indices.contains(index - 1) ? row.cells[index - 1] : ""
  }

  /// The columns that fit, with their widths.
  private static func fit(_ natural: [Int], into width: Int) -> [(column: Int, width: Int)] {
    var chosen: [(column: Int, width: Int)] = []
    var room = width
    for (index, wanted) in natural.enumerated() where wanted > 0 || index == 0 {
      let least = min(wanted, columns[index].minimum)
      let cost = least + (chosen.isEmpty ? 0 : gap)
      if !chosen.isEmpty, cost > room { continue }
      chosen.append((index, chosen.isEmpty ? min(least, max(width, 1)) : least))
      room -= cost
    }
    // What is left goes to the columns in order: the name first.
    for place in chosen.indices where room > 0 {
      let more = min(natural[chosen[place].column] - chosen[place].width, room)
      if more > 0 {
        chosen[place].width += more
        room -= more
      }
    }
    return chosen
  }

  private static func line(
    _ cells: [String], _ widths: [(column: Int, width: Int)]
  ) -> TableLine {
    var (line, start) = (TableLine(), 0)
    for (cell, place) in zip(cells, widths) {
      let text =
        cell.columns > place.width ? shortened(cell, place.column, to: place.width) : cell
      line.cells.append(.init(start: start, text: text))
      start += place.width + gap
    }
    return line
  }

  /// A cell that was cut; of a host the port stays, which nobody can guess.
  private static func shortened(_ text: String, _ column: Int, to width: Int) -> String {
    guard width > 3 else { return text.cut(to: width) }
    var end: Substring = ""
    if columns[column].title == "HOST", let colon = text.lastIndex(of: ":"),
      text[colon...].count + 4 <= width
    {
      end = text[colon...]
    }
    return text.cut(to: width - 1 - end.count) + "~" + end
  }
}
