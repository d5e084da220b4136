import Fief
import Foundation
import LMDB

/// The counts of an import.
public struct TreeImportReport: Sendable, Hashable {
  /// The number of leaves in the file.
  public let leaves: Int
  /// The number of integers that do not fit 64 bits and were rounded to the nearest double.
  public let roundedIntegers: Int
  /// The number of priorities, which were dropped.
  public let droppedPriorities: Int
}

/// An import of one file. The file is read and sorted before the write begins.
struct TreeImport {
  /// The memory for entries that are sorted, in bytes.
  private static let memory = 24 << 20

  private let path: TreePath
  private let sorter: EntrySorter
  private(set) var report = TreeImportReport(leaves: 0, roundedIntegers: 0, droppedPriorities: 0)

  /// - Parameters:
  ///   - path: the place of the file's value.
  ///   - directory: the directory of the store, for the temporary file.
  ///   - sealing: the encryption of the store's values, or `nil` for none.
  init(at path: TreePath, directory: String, sealing: (any ValueSealing)?) throws(FiefError) {
    try path.checkDepth()
    self.path = path
    sorter = EntrySorter(memory: Self.memory, directory: directory, sealing: sealing)
  }

  /// Reads a file.
  ///
  /// - Throws: the errors of ``ImportReader/run(isCancelled:)``; `FiefError` of code `inputOutput`.
  mutating func read(_ file: String, isCancelled: () -> Bool) throws {
    let input = try InputFile(file)
    var reader = ImportReader(sorter, at: path) { try input.read(into: $0) }
    try reader.run(isCancelled: isCancelled)
    report = TreeImportReport(
      leaves: reader.leaves,
      roundedIntegers: reader.roundedIntegers,
      droppedPriorities: reader.droppedPriorities
    )
  }

  /// Replaces the place in a write. It may be called again if the write runs again.
  ///
  /// - Returns: whether the value of the place has changed.
  /// - Throws: the errors of ``ImportedEntries``; the transaction must then not be committed.
  @discardableResult
  func write(_ nodes: TreeNodes, _ records: RecordWriter, in scope: WriteTransaction?) throws -> Bool {
    var writer = try SubtreeWriter(nodes, records, in: scope)
    do {
      let isChanged = try writer.set(try sorter.sorted(), at: TreePlace(path), path)
      if isChanged { records.note(path) }
      return isChanged
    } catch {
      throw FiefError.described(error, store: nodes.storeName, at: path)
    }
  }
}

/// A file that is read from its beginning to its end.
private final class InputFile {
  private let path: String
  private let descriptor: Int32

  init(_ path: String) throws(FiefError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw failure }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FiefError) -> Int {
    while true {
      // SAFETY: the buffer has this many bytes.
      let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw failure }
    }
  }

  private var failure: FiefError {
    FiefError(
      .inputOutput,
      "The file of an import cannot be read.",
      path: path,
      details: [String(cString: strerror(errno))]
    )
  }
}
