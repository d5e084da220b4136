// swift-tools-version:6.2
import PackageDescription

// A package of its own, so that what Fief is measured against never becomes a dependency of it.
let package = Package(
  name: "FiefBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Fief", path: "..")],
  targets: [
    // Symbolic links to the sources in `../Support`, which are no product of Fief.
    .systemLibrary(name: "CChildProcesses"),
    .target(name: "ChildProcesses", dependencies: ["CChildProcesses"]),
    .executableTarget(
      name: "fief-bench",
      dependencies: [
        "ChildProcesses",
        .product(name: "Fief", package: "Fief"), .product(name: "FiefEncryption", package: "Fief"),
        .product(name: "FiefTree", package: "Fief"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
