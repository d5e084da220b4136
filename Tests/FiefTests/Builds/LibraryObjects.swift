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
    let package = BuiltProgram.sources + "/.."
    // A directory of its own: the build that runs the tests may hold the usual one.
    let scratch = package + "/.build-optimized"
    let build = ["swift", "build", "--package-path", package, "--scratch-path", scratch]
    try BuiltProgram.expectSuccess(try BuiltProgram.run(build + ["-c", "release", "--target", "Fief"]))
    return scratch + "/release"
  }
}
