import CLMDB

/// A version of liblmdb.
package struct LMDBVersion: Sendable, CustomStringConvertible {
  let major: Int32
  let minor: Int32
  let patch: Int32

  package init(_ major: Int32, _ minor: Int32, _ patch: Int32) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// The version of the library that this process has loaded. It may differ from the version at build time.
  package static var loaded: LMDBVersion {
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    mdb_version(&major, &minor, &patch)
    return LMDBVersion(major, minor, patch)
  }

  package var description: String { "\(major).\(minor).\(patch)" }

  /// Checks that the library reads and writes the format of the stores.
  ///
  /// The development versions from 0.9.70 on and LMDB 1.0 write another format under the same library name,
  /// so this is checked before anything is created on the disk.
  ///
  /// - Parameter path: The file or directory that is about to be used.
  /// - Throws: `unsupportedLibrary` if the library has another format.
  package func check(path: String?) throws(LMDBError) {
    guard major == 0, minor == 9, patch < 70 else {
      throw LMDBError(
        .unsupportedLibrary,
        path: path,
        detail: "found LMDB \(self), needed LMDB 0.9.x before 0.9.70"
      )
    }
  }
}
