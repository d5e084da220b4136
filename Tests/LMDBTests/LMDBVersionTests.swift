import Testing

@testable import LMDB

@Suite("Versions of LMDB") struct LMDBVersionTests {
  @Test("only the versions that write the format of the stores are used", arguments: [24, 31, 36, 69])
  func supported(patch: Int32) throws {
    try LMDBVersion(0, 9, patch).check(path: nil)
    try LMDBVersion.loaded.check(path: nil)
  }

  @Test(
    "another generation is refused with both versions",
    arguments: [(0, 8, 0), (0, 9, 70), (0, 9, 90), (0, 10, 0), (1, 0, 0), (1, 9, 24)]
      as [(Int32, Int32, Int32)]
  )
  func refused(major: Int32, minor: Int32, patch: Int32) {
    let version = LMDBVersion(major, minor, patch)
    let error = #expect(throws: LMDBError.self) { try version.check(path: "/a/store") }
    #expect(error?.code == .unsupportedLibrary && error?.path == "/a/store")
    #expect(error?.detail == "found LMDB \(major).\(minor).\(patch), needed LMDB 0.9.x before 0.9.70")
  }
}
