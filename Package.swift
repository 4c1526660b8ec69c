// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]
// Tests read files and start programs, for which Foundation is allowed; it is not marked for
// strict memory safety.
let tests: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]
let strictC: [CSetting] = [
  .enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error),
]

let package = Package(
  name: "lantool",
  products: [
    .library(name: "LanCore", targets: ["LanWire", "LanCore", "LanSystem"]),
    .executable(name: "lantool", targets: ["lantool"]),
  ],
  targets: [
    .target(name: "CLan", cSettings: strictC),
    .target(name: "CPcap", cSettings: strictC),
    .target(name: "LanWire", swiftSettings: strict),
    .target(name: "LanCore", dependencies: ["LanWire"], swiftSettings: strict),
    .target(
      name: "LanSystem", dependencies: ["LanWire", "LanCore", "CLan", "CPcap"],
      swiftSettings: strict),
    .target(
      name: "LanCLI", dependencies: ["LanWire", "LanCore", "LanSystem"], swiftSettings: strict),
    .executableTarget(name: "lantool", dependencies: ["LanCLI"], swiftSettings: strict),

    .target(
      name: "TestKit", dependencies: ["LanWire", "LanCore"], path: "Tests/TestKit",
      swiftSettings: tests),
    .testTarget(name: "LanWireTests", dependencies: ["LanWire", "TestKit"], swiftSettings: tests),
    .testTarget(
      name: "LanCoreTests", dependencies: ["LanCore", "LanWire", "TestKit"], swiftSettings: tests),
    .testTarget(
      name: "LanSystemTests", dependencies: ["LanSystem", "LanCore", "LanWire", "TestKit"],
      swiftSettings: tests),
    .testTarget(
      name: "LanCLITests",
      dependencies: ["LanCLI", "LanSystem", "LanCore", "LanWire", "TestKit"], swiftSettings: tests),
    .testTarget(
      name: "IntegrationTests", dependencies: ["TestKit", "lantool"], swiftSettings: tests),
  ],
  swiftLanguageModes: [.v6]
)

// The sanitizer looks at what reads foreign bytes; the other rooms need not be built for it: all that
// is pure, or with `wire` the tests of LanWire alone.
if let rooms = Context.environment["LANTOOL_PURE_ROOMS"] {
  let tests = rooms == "wire" ? ["LanWireTests"] : ["LanWireTests", "LanCoreTests"]
  let pure = ["LanWire", "LanCore", "TestKit"] + tests
  package.targets.removeAll { !pure.contains($0.name) }
  package.products.removeAll()
}
