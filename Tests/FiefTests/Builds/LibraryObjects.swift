import Foundation

/// The objects of the library that a program is linked with.
enum LibraryObjects: CaseIterable {
  /// The objects of the build that the tests are in.
  case ofTests
  /// Optimized objects, from which the compiler has removed everything that nothing in a module uses.
  case optimized

  /// The directory of the objects and modules.
  var products: String {
    get throws {
      switch self {
      case .ofTests: try BuiltProgram.products
      case .optimized: try Self.optimizedProducts.get()
      }
    }
  }

  private static let optimizedProducts: Result<String, any Error> = Result {
    // FIEF_OPTIMIZED_PACKAGE is a clone with a finished optimized build, which other programs may be using.
    if let package = ProcessInfo.processInfo.environment["FIEF_OPTIMIZED_PACKAGE"] {
      return package + "/.build/release"
    }
    // The optimized build that the benchmark and the torture tests use too. `swift test` holds the lock of the
    // directory while the tests run, but has built everything.
    let package = BuiltProgram.sources + "/.."
    let scratch = package + "/.build"
    let build = ["swift", "build", "--ignore-lock", "--package-path", package, "--scratch-path", scratch]
    try BuiltProgram.expectSuccess(try BuiltProgram.run(build + ["-c", "release", "--target", "Fief"]))
    return scratch + "/release"
  }
}
