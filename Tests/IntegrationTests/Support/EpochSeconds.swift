import Foundation

/// Seconds since 1970 with nine digits behind the point, from an RFC 3339 time in UTC.
func epochSeconds(_ time: String) -> String? {
  let parts = time.split(separator: ".", maxSplits: 1)
  guard time.hasSuffix("Z"), let head = parts.first else { return nil }
  let seconds = head.hasSuffix("Z") ? String(head) : head + "Z"
  guard let date = try? Date(seconds, strategy: .iso8601) else { return nil }
  let fraction = parts.count == 2 ? String(parts[1].dropLast()) : ""
  guard fraction.count <= 9, fraction.allSatisfy(\.isNumber) else { return nil }
  return "\(Int(date.timeIntervalSince1970)).\(fraction)"
    + String(repeating: "0", count: 9 - fraction.count)
}

/// The same form from the reference's seconds, whose fraction may reach a second and more.
func carried(_ seconds: String) -> String? {
  let parts = seconds.split(separator: ".").compactMap { Int($0) }
  guard parts.count == 2 else { return nil }
  let fraction = String(parts[1] % 1_000_000_000)
  // The reference takes the 32 unsigned bits of a pcap file's seconds for signed ones.
  let whole = (parts[0] < 0 ? parts[0] + (1 << 32) : parts[0]) + parts[1] / 1_000_000_000
  return "\(whole)."
    + String(repeating: "0", count: 9 - fraction.count) + fraction
}
