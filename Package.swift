// swift-tools-version:6.2
import PackageDescription

// An import brings the members of its module into one file. Fief has this only: a declaration for the package with a type of
// Foundation would need a package import, which keeps the optimizer from inlining functions with such types into applications.
let visibleMembers: [SwiftSetting] = [.enableUpcomingFeature("MemberImportVisibility")]
// An import is no part of the module's own interface unless it is public.
let imports: [SwiftSetting] = visibleMembers + [.enableUpcomingFeature("InternalImportsByDefault")]

// `import Fief` is the core and the rings around it.
let rings = ["FiefCore", "FiefInspection", "FiefMultiStore", "FiefObserving", "FiefOperations", "FiefViews"]

let package = Package(
  name: "Fief",
  // Linux is tested. macOS compiles by construction and is untested; iOS has no package of liblmdb.
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Fief", targets: ["Fief"] + rings),
    .library(name: "FiefEncryption", targets: ["FiefEncryption"]),
    .library(name: "FiefRealm", targets: ["FiefRealm"]),
    .library(name: "FiefTesting", targets: ["FiefTesting"]),
    .library(name: "FiefLog", targets: ["FiefLog"]),
    .library(name: "FiefCommands", targets: ["FiefCommands"]),
    .library(name: "FiefImport", targets: ["FiefImport"]),
    .library(name: "FiefTree", targets: ["FiefTree"]),
    .executable(name: "fief", targets: ["fief-tool"]),
  ],
  targets: [
    .systemLibrary(
      name: "CLMDB",
      pkgConfig: "lmdb",
      providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]
    ),
    .target(name: "LMDB", dependencies: ["CLMDB"], swiftSettings: imports),
    .systemLibrary(name: "CFiefRuntime"),
    .target(name: "FiefCore", dependencies: ["LMDB", "CFiefRuntime"], swiftSettings: visibleMembers),
    .target(name: "FiefObserving", dependencies: ["FiefCore", "LMDB"], swiftSettings: visibleMembers),
    .target(
      name: "FiefViews",
      dependencies: ["FiefCore", "FiefObserving", "LMDB"],
      swiftSettings: visibleMembers
    ),
    .target(name: "FiefOperations", dependencies: ["FiefCore", "LMDB"], swiftSettings: visibleMembers),
    .target(
      name: "FiefInspection",
      dependencies: ["FiefCore", "FiefObserving", "LMDB"],
      swiftSettings: visibleMembers
    ),
    .target(
      name: "FiefMultiStore",
      dependencies: ["FiefCore", "FiefInspection", "LMDB"],
      swiftSettings: visibleMembers
    ),
    .target(name: "Fief", dependencies: rings.map { .byName(name: $0) }, swiftSettings: visibleMembers),
    .systemLibrary(
      name: "CSodium",
      pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]
    ),
    .target(name: "FiefEncryption", dependencies: ["CSodium", "Fief", "LMDB"], swiftSettings: imports),
    .target(name: "FiefImport", dependencies: ["Fief", "FiefEncryption"], swiftSettings: imports),
    // A C interface of the library re2.
    .target(name: "FiefRE2", linkerSettings: [.linkedLibrary("re2")]),
    .target(name: "FiefRules", dependencies: ["Fief", "FiefRE2"], swiftSettings: imports),
    .target(name: "FiefTree", dependencies: ["Fief", "FiefRules", "LMDB"], swiftSettings: imports),
    .target(
      name: "FiefRealm",
      dependencies: ["Fief", "FiefEncryption", "FiefImport"],
      swiftSettings: imports
    ),
    .target(name: "FiefTesting", dependencies: ["Fief", "FiefEncryption"], swiftSettings: imports),
    .target(name: "FiefLog", dependencies: ["Fief"], swiftSettings: imports),
    .target(name: "FiefConsole", dependencies: ["Fief", "FiefEncryption"], swiftSettings: imports),
    .target(name: "FiefMaintenance", dependencies: ["Fief", "LMDB"], swiftSettings: visibleMembers),
    .target(
      name: "FiefCommands",
      dependencies: ["Fief", "FiefConsole", "FiefMaintenance"],
      swiftSettings: imports
    ),
    .target(
      name: "FiefToolKit",
      dependencies: ["Fief", "FiefConsole", "FiefEncryption", "FiefImport", "FiefTree"],
      swiftSettings: imports
    ),
    .executableTarget(name: "fief-tool", dependencies: ["FiefToolKit"], swiftSettings: imports),
    .systemLibrary(name: "CChildProcesses", path: "Support/CChildProcesses"),
    .target(
      name: "ChildProcesses",
      dependencies: ["CChildProcesses"],
      path: "Support/ChildProcesses",
      swiftSettings: imports
    ),
    .testTarget(name: "ChildProcessesTests", dependencies: ["ChildProcesses"]),
    .target(
      name: "PetStoreMigrations",
      dependencies: ["Fief"],
      path: "Migrations",
      exclude: ["README.md"]
    ),
    .target(
      name: "PetStoreKit",
      dependencies: [
        "ChildProcesses", "Fief", "FiefConsole", "FiefEncryption", "FiefTree", "PetStoreMigrations",
      ],
      path: "Examples/PetStore/Kit"
    ),
    .executableTarget(name: "petstore", dependencies: ["PetStoreKit"], path: "Examples/PetStore/Command"),
    .executableTarget(
      name: "petstore-migrate",
      dependencies: ["Fief", "FiefCommands", "PetStoreKit"],
      path: "Examples/PetStore/MigrateCommand"
    ),
    .testTarget(
      name: "PetStoreTests",
      dependencies: [
        "TestEffort", "ChildProcesses", "Fief", "PetStoreKit", "PetStoreMigrations", "petstore",
        "FiefTesting",
      ],
      path: "Examples/PetStoreTests"
    ),
    .target(name: "LMDBFaults", path: "Tests/Support/LMDBFaults"),
    .executableTarget(
      name: "lmdb-fault-child",
      dependencies: ["ChildProcesses", "LMDB", "LMDBFaults"],
      path: "Tests/Support/lmdb-fault-child"
    ),
    .target(name: "FiefStress", dependencies: ["Fief"], path: "Tests/Support/FiefStress"),
    .target(name: "TestEffort", path: "Tests/Support/TestEffort"),
    .target(
      name: "FiefModel",
      dependencies: ["Fief", "FiefStress", "LMDB"],
      path: "Tests/Support/FiefModel"
    ),
    .target(
      name: "FiefTreeModel",
      dependencies: ["Fief", "FiefEncryption", "FiefModel", "FiefTree"],
      path: "Tests/Support/FiefTreeModel"
    ),
    .target(
      name: "FiefTreeTestKit",
      dependencies: ["Fief", "FiefTesting", "FiefTree", "FiefTreeModel"],
      path: "Tests/Support/FiefTreeTestKit"
    ),
    .executableTarget(
      name: "fief-model",
      dependencies: ["FiefModel", "FiefTreeModel"],
      path: "Tests/Support/fief-model"
    ),
    .executableTarget(
      name: "fief-crash-child",
      dependencies: [
        "Fief", "FiefEncryption", "FiefLog", "FiefMaintenance", "FiefStress", "FiefTorture", "FiefTree",
        "LMDB",
        "LMDBFaults",
      ],
      path: "Tests/Support/fief-crash-child"
    ),
    .target(
      name: "FiefTorture",
      dependencies: ["ChildProcesses", "Fief", "FiefMaintenance", "FiefTree", "LMDB"],
      path: "Torture/Kit"
    ),
    .executableTarget(
      name: "fief-torture",
      dependencies: [
        "ChildProcesses", "Fief", "FiefTorture", "FiefModel", "FiefCommands", "FiefConsole", "FiefEncryption",
        "FiefMaintenance", "FiefToolKit", "FiefTree", "FiefTreeModel", "LMDB", "PetStoreKit",
        "PetStoreMigrations",
      ],
      path: "Torture/Command"
    ),
    .testTarget(
      name: "LMDBTests",
      dependencies: ["TestEffort", "ChildProcesses", "LMDB", "lmdb-fault-child"]
    ),
    .testTarget(
      name: "FiefTests",
      dependencies: [
        "TestEffort",
        "ChildProcesses", "Fief", "FiefEncryption", "FiefLog", "FiefTesting", "LMDB",
        "FiefStress", "FiefModel",
        "fief-crash-child",
        "fief-legacy-child",
      ]
    ),
    .executableTarget(
      name: "fief-legacy-child",
      dependencies: ["Fief"],
      path: "Tests/Support/fief-legacy-child"
    ),
    .testTarget(
      name: "FiefEncryptionTests",
      dependencies: [
        "TestEffort",
        "ChildProcesses", "CSodium", "Fief", "FiefEncryption", "FiefStress", "FiefTesting", "LMDB",
        "fief-crash-child",
      ]
    ),
    .testTarget(
      name: "RealmBehaviourTests",
      dependencies: ["TestEffort", "Fief", "FiefRealm", "FiefTesting"]
    ),
    .testTarget(
      name: "FiefConsoleTests",
      dependencies: ["TestEffort", "ChildProcesses", "Fief", "FiefConsole", "LMDB"]
    ),
    .testTarget(
      name: "FiefCommandsTests",
      dependencies: [
        "TestEffort",
        "ChildProcesses", "Fief", "FiefCommands", "FiefConsole", "FiefEncryption", "FiefMaintenance",
        "LMDB",
        "PetStoreKit", "petstore-migrate",
      ]
    ),
    .testTarget(
      name: "FiefToolTests",
      dependencies: [
        "TestEffort",
        "ChildProcesses", "Fief", "FiefToolKit", "FiefConsole", "FiefEncryption", "FiefRealm", "LMDB",
        "PetStoreKit",
        "PetStoreMigrations", "fief-tool", "fief-import-child", "RealmExporter",
      ]
    ),
    // The exporter of "Coming from Realm", with a stand-in for RealmSwift.
    .target(
      name: "RealmExporter",
      dependencies: ["Realm", "RealmSwift"],
      path: "Tests/Support/RealmExporter"
    ),
    .target(name: "RealmSwift", dependencies: ["Realm"], path: "Tests/Support/RealmSwift"),
    .target(name: "Realm", path: "Tests/Support/Realm"),
    .executableTarget(
      name: "fief-import-child",
      dependencies: ["FiefRealm"],
      path: "Tests/Support/fief-import-child"
    ),
    .executableTarget(
      name: "petstore-fixtures",
      dependencies: ["Fief", "PetStoreKit", "PetStoreMigrations"],
      path: "Tests/Support/petstore-fixtures"
    ),
    .testTarget(
      name: "FuzzingTests",
      dependencies: [
        "Fief", "FiefConsole", "FiefImport", "FiefRules", "FiefToolKit", "FiefTree", "LMDB",
      ],
      path: "Torture/Fuzzing",
      exclude: ["Corpus", "Dictionaries", "Entry", "run"]
    ),
    .testTarget(
      name: "FiefTreeTests",
      dependencies: [
        "TestEffort", "ChildProcesses", "Fief", "FiefConsole", "FiefEncryption", "FiefTesting", "FiefToolKit",
        "FiefTree", "FiefTreeModel", "FiefTreeTestKit", "LMDB", "fief-crash-child", "fief-tool",
      ]
    ),
    .testTarget(
      name: "FiefRulesTests",
      dependencies: [
        "TestEffort", "ChildProcesses", "Fief", "FiefConsole", "FiefTesting", "FiefToolKit", "FiefTree",
        "FiefTreeTestKit", "fief-tool",
      ]
    ),
    .testTarget(name: "FiefImportTests", dependencies: ["Fief", "FiefImport", "FiefTesting"]),
    .testTarget(name: "FiefTestingTests", dependencies: ["Fief", "FiefEncryption", "FiefTesting"]),
    .testTarget(
      name: "CompatibilitySwift5Tests",
      dependencies: ["Fief", "FiefRealm", "FiefTesting"],
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    .testTarget(
      name: "CompatibilitySwift6Tests",
      dependencies: ["Fief", "FiefRealm", "FiefTesting"],
      swiftSettings: [.swiftLanguageMode(.v6)]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// SwiftPM recompiles a target if the module of a direct dependency has changed. The module Fief only re-exports
// the rings and does not change with them, so a target that depends on Fief depends on the rings too.
for target in package.targets where target.name != "Fief" {
  let usesFief = target.dependencies.contains {
    if case .byNameItem("Fief", _) = $0 { true } else { false }
  }
  if usesFief { target.dependencies += rings.map { .byName(name: $0) } }
}
