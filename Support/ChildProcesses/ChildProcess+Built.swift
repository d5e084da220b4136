import Foundation

extension ChildProcess {
  /// The path of a program of this package, which is built beside the tests: beside this program, or beside the bundle that it has
  /// loaded.
  package static func built(_ name: String) throws(ChildProcessError) -> String {
    let bundles = [Bundle.main.bundleURL, Bundle(for: ChildProcess.self).bundleURL]
    let paths = (bundles + bundles.map { $0.deletingLastPathComponent() }).map {
      $0.appending(path: name).path(percentEncoded: false)
    }
    guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      throw ChildProcessError(.notStarted, name, ENOENT)
    }
    return path
  }
}
