#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension MetaPages {
  /// Overwrites the meta page of each commit after the last successful one with the content of the successful
  /// one, under the preceding number.
  ///
  /// - Parameter pages: The bytes of both meta pages.
  static func undoCommits(after last: UInt64, in pages: inout [[UInt8]]) {
    func commit(_ page: [UInt8]) -> UInt64 {
      page.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 144, as: UInt64.self) }
    }
    for index in pages.indices where commit(pages[index]) > last {
      let other = pages[1 - index]
      guard commit(other) == last else { continue }
      pages[index] = other
      pages[index].withUnsafeMutableBytes { bytes in
        bytes.storeBytes(of: UInt64(index), toByteOffset: 0, as: UInt64.self)
        bytes.storeBytes(of: last > 0 ? last - 1 : 0, toByteOffset: 144, as: UInt64.self)
      }
    }
  }

  /// Writes the content of the newest meta page to both pages of a fresh copy, with commit numbers after a
  /// given one.
  ///
  /// LMDB leaves commit 1 in one page of a copy and an empty store in the other. A reader that takes the
  /// number of the commit from elsewhere, such as from the lock table of the former file, would find the
  /// empty store. With increasing numbers, a state that is identified by its number is never mistaken for a
  /// later one. The copy of an empty store is not changed.
  static func renumber(_ descriptor: Int32, after last: UInt64, path: String) throws(LMDBError) {
    let metas = try MetaPages.read(descriptor, path: path)
    let newer = metas.newer
    guard newer.transaction > 0 else { return }
    let size = newer.pageSize
    var bytes = [UInt8](repeating: 0, count: MetaPage.size)
    let start = Int(newer.transaction & 1) * size
    guard bytes.withUnsafeMutableBytes({ readFully(descriptor, $0, at: start) }) == bytes.count else {
      throw LMDBError.system("pread", path: path)
    }
    // The copied state may be newer than the last commit at the start of the copy.
    let copied = CommitRecord.number(in: newer, descriptor) ?? 0
    // LMDB stores commit n in page n modulo 2.
    let even = (max(last, copied) / 2 + 1) * 2
    for (page, commit) in [(UInt64(0), even), (1, even + 1)] {
      bytes.withUnsafeMutableBytes { bytes in
        bytes.storeBytes(of: page, toByteOffset: 0, as: UInt64.self)
        bytes.storeBytes(of: commit, toByteOffset: 144, as: UInt64.self)
      }
      let count = bytes.withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress, $0.count, off_t(page) * off_t(size))
      }
      guard count == bytes.count else { throw LMDBError.system("pwrite", path: path) }
    }
  }
}
