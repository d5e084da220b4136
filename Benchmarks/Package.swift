// swift-tools-version:6.2
import PackageDescription

// A package of its own, so that what Fief is measured against never becomes a dependency of it.
let package = Package(
  name: "FiefBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Fief", path: "..")],
  targets: [
    .executableTarget(
      name: "fief-bench",
      dependencies: [
        .product(name: "Fief", package: "Fief"), .product(name: "FiefEncryption", package: "Fief"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
