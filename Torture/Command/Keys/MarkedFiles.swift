import Foundation

/// The files below a directory, and those that have something in clear.
struct MarkedFiles {
  /// Paths below the directory.
  let names: [String]
  /// Those that have the marker or a key.
  let marked: [String]

  init(below directory: String) throws {
    var names: [String] = []
    var marked: [String] = []
    let needles =
      ([MarkedObject.marker] + MarkedRepository.Key.allCases.map(\.rawValue).filter { $0 != "none" })
      .map { Array($0.utf8) }
    for name in try FileManager.default.subpathsOfDirectory(atPath: directory) {
      var info = stat()
      guard lstat("\(directory)/\(name)", &info) == 0 else { continue }
      names.append(name)
      guard info.st_mode & S_IFMT == S_IFREG else { continue }
      let data = try Data(contentsOf: URL(filePath: "\(directory)/\(name)"))
      if needles.contains(where: { Self.contains(data, $0) }) { marked.append(name) }
    }
    self.names = names.sorted()
    self.marked = marked.sorted()
  }

  private static func contains(_ data: Data, _ needle: [UInt8]) -> Bool {
    data.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let first = needle.first else { return false }
      let end = start + bytes.count
      var place = start
      // SAFETY: `place` is in the bytes, and both calls read no more of them than there are.
      while end - place >= needle.count,
        let found = memchr(place, Int32(first), end - place - needle.count + 1)
      {
        if memcmp(found, needle, needle.count) == 0 { return true }
        place = UnsafeRawPointer(found) + 1
      }
      return false
    }
  }

  /// What there is besides the files of the two stores.
  var leftovers: [String] {
    let files = ["data.mdb", "lock.mdb", "store.manifest"]
    let known = Set(["vault", "beside"].flatMap { store in [store] + files.map { "\(store)/\($0)" } })
    return names.filter { !known.contains($0) }
  }
}
