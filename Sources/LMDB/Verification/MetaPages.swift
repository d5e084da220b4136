#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Both meta pages of a data file, checked individually and against each other.
struct MetaPages {
  let pages: (MetaPage, MetaPage)
  let fileSize: Int

  var newer: MetaPage { pages.0.transaction < pages.1.transaction ? pages.1 : pages.0 }

  /// Whether the file ends before the last page.
  ///
  /// `true` does not prove a loss: pages that were allocated and freed in one transaction are never written.
  var isShort: Bool { (newer.lastPage + 1) * UInt64(newer.pageSize) > UInt64(fileSize) }

  /// Returns the meta page of a commit, or `nil` if it was overwritten or is not written yet.
  func page(transaction: UInt64) -> MetaPage? {
    if pages.0.transaction == transaction { return pages.0 }
    return pages.1.transaction == transaction ? pages.1 : nil
  }

  /// Reads the meta pages of an open data file.
  ///
  /// Another process may be committing, so an error counts only if it is found repeatedly.
  static func read(_ descriptor: Int32, path: String) throws(LMDBError) -> MetaPages {
    var attempt = 0
    while true {
      do throws(LMDBError) {
        return try MetaPages(descriptor, path: path)
      } catch {
        attempt += 1
        if attempt == 5 { throw error }
        usleep(500)
      }
    }
  }

  private init(_ descriptor: Int32, path: String) throws(LMDBError) {
    let first = try MetaPages.page(descriptor, at: 0, index: 0, path)
    let second = try MetaPages.page(descriptor, at: first.pageSize, index: 1, path)
    fileSize = try sizeOfFile(descriptor, path: path)
    pages = (first, second)
    guard first.pageSize == second.pageSize else {
      throw LMDBError(.damaged, path: path, detail: "meta pages of different page sizes")
    }
    guard fileSize >= 2 * first.pageSize else { throw LMDBError(.truncated, path: path) }
    let (low, high) = (
      min(first.transaction, second.transaction), max(first.transaction, second.transaction)
    )
    guard high == low + 1 || (high == 0 && low == 0) else {
      throw LMDBError(.damaged, path: path, detail: "meta pages of commits \(low) and \(high)")
    }
    // The number of the last page never decreases, so this reveals a wrong commit number if the store has
    // grown. If it has not grown, a newest commit with a damaged number looks like a commit whose meta page
    // could not be written, and the store has the state from before that commit.
    let older = first.transaction < second.transaction ? first : second
    guard older.lastPage <= newer.lastPage else {
      throw LMDBError(.damaged, path: path, detail: "the older meta page has more pages")
    }
    try newer.checkTrees(path: path)
  }

  private static func page(
    _ descriptor: Int32,
    at offset: Int,
    index: UInt64,
    _ path: String
  ) throws(LMDBError) -> MetaPage {
    var bytes = [UInt8](repeating: 0, count: MetaPage.size)
    let count = bytes.withUnsafeMutableBytes { readFully(descriptor, $0, at: offset) }
    guard let count else { throw LMDBError.system("pread", path: path) }
    guard count == MetaPage.size else { throw LMDBError(.truncated, path: path) }
    var result: Result<MetaPage, LMDBError> = .failure(LMDBError(.damaged, path: path))
    bytes.withUnsafeBytes { buffer in
      do throws(LMDBError) {
        result = .success(try MetaPage(buffer, index: index, path: path))
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }
}
