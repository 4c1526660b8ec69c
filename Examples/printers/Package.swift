// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "printers",
  dependencies: [.package(name: "lantool", path: "../..")],
  targets: [
    .executableTarget(
      name: "printers", dependencies: [.product(name: "LanCore", package: "lantool")])
  ])
