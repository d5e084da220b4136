import Foundation
import LMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Sorted runs of rows in a temporary file without a name, which is removed when the process ends, at the
/// latest.
///
/// A run is written in blocks, which are encrypted if the store is encrypted. Values that are too large for
/// the runs are blocks beside them.
final class SortSpill {
  /// A part of the file that was written at once.
  struct Block {
    /// The block's offset in the file.
    let offset: Int64
    /// The number of bytes before encryption.
    let count: Int
  }

  private let unnamed: UnnamedFile
  private let sealing: (any ValueSealing)?
  private var end: Int64 = 0
  private(set) var runs: [[Block]] = []
  private var blocks: [Block] = []
  private var buffer = ValueWriter()

  private static var bufferSize: Int { 1 << 16 }

  /// - Parameters:
  ///   - sealing: the encryption of the store's values, or `nil` for none. The blocks have a separate key,
  ///     because results are read in parts and the store's keys may change in between.
  ///   - directory: the directory of the file; `nil` for the directory of temporary files.
  init(_ sealing: (any ValueSealing)?, directory: String? = nil) throws {
    self.sealing = try sealing?.temporary()
    guard let file = UnnamedFile.make(in: directory) else { throw Self.failure(path: directory) }
    unnamed = file
  }

  private var file: Int32 { unnamed.descriptor }

  /// Appends a run of sorted entries and their bytes.
  func append(_ entries: [RowSorter.Entry], _ bytes: UnsafeRawBufferPointer) throws {
    for entry in entries { try append(entry, bytes) }
    try endRun()
  }

  /// Appends the next entry of a run and its bytes.
  func append(_ entry: RowSorter.Entry, _ bytes: UnsafeRawBufferPointer) throws {
    buffer.appendInteger(entry.sortCount)
    buffer.appendInteger(entry.keyCount)
    buffer.appendInteger(entry.extraCount)
    buffer.append(UnsafeRawBufferPointer(rebasing: bytes[entry.offset..<(entry.offset + entry.count)]))
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Ends a run.
  func endRun() throws {
    try flush()
    if !blocks.isEmpty { runs.append(blocks) }
    blocks = []
  }

  /// Returns the merge of all runs.
  func merge(_ isBefore: @escaping (RowSorter.Keys, RowSorter.Keys) -> Bool) throws -> SortMerge {
    SortMerge(readers: runs.map { SpillReader(self, $0) }, isBefore: isBefore)
  }

  /// Replaces the last runs by one run with all of their entries.
  func joinRuns(_ count: Int, _ isBefore: @escaping (RowSorter.Keys, RowSorter.Keys) -> Bool) throws {
    let joined = runs.suffix(count)
    let merge = SortMerge(readers: joined.map { SpillReader(self, $0) }, isBefore: isBefore)
    while let reader = try merge.next() { try reader.withBytes { try append(reader.entry, $0) } }
    runs.removeLast(joined.count)
    try endRun()
  }

  private func flush() throws {
    guard buffer.count > 0 else { return }
    blocks.append(try buffer.withBytes { try store($0) })
    buffer.removeAll()
  }

  /// Writes bytes as a block.
  func store(_ bytes: UnsafeRawBufferPointer) throws -> Block {
    let block = Block(offset: end, count: bytes.count)
    guard let sealing else {
      try write(bytes)
      return block
    }
    let sealed = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes.count + sealing.overhead,
      alignment: 16
    )
    defer { sealed.deallocate() }
    Self.withContext(of: end) { sealing.seal(bytes, for: $0, into: sealed) }
    try write(UnsafeRawBufferPointer(sealed))
    return block
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws {
    var written = 0
    while written < bytes.count {
      // SAFETY: the range lies in `bytes`.
      let count = FileSizeLimit.withoutSignal {
        pwrite(file, bytes.baseAddress.map { $0 + written }, bytes.count - written, off_t(end))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(path: nil) }
      written += count
      end += Int64(count)
    }
  }

  /// Reads the decrypted bytes of a block.
  func read(_ block: Block) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: block.count)
    guard let sealing else {
      try bytes.withUnsafeMutableBytes { try read(into: $0, at: block.offset) }
      return bytes
    }
    let sealed = UnsafeMutableRawBufferPointer.allocate(
      byteCount: block.count + sealing.overhead,
      alignment: 16
    )
    defer { sealed.deallocate() }
    try read(into: sealed, at: block.offset)
    let isRight = bytes.withUnsafeMutableBytes { bytes in
      Self.withContext(of: block.offset) {
        sealing.open(UnsafeRawBufferPointer(sealed), for: $0, into: bytes)
      }
    }
    guard isRight else {
      throw FiefError(.inputOutput, "Something else changed a temporary file of a sort.")
    }
    return bytes
  }

  /// Calls `body` with the encryption context of a block, which no tree uses.
  private static func withContext<R>(of offset: Int64, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeBytes(of: (UInt64(0), offset.littleEndian)) { body($0) }
  }

  /// Fills a buffer from an offset of the file.
  private func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
    var done = 0
    while done < buffer.count {
      // SAFETY: the range lies in `buffer`.
      let count = pread(
        file,
        buffer.baseAddress.map { $0 + done },
        buffer.count - done,
        off_t(offset) + off_t(done)
      )
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(path: nil) }
      done += count
    }
  }

  private static func failure(path: String?) -> FiefError {
    let code = errno
    return FiefError(
      [ENOSPC, EDQUOT, EFBIG].contains(code) ? .storeFull : .inputOutput,
      "A sort needed a temporary file but could not use one.",
      path: path,
      details: [String(cString: strerror(code))]
    )
  }
}

/// Reads the entries of one run, one block of the file at a time.
final class SpillReader {
  private let spill: SortSpill
  private var rest: ArraySlice<SortSpill.Block>
  private var buffer: [UInt8] = []
  private var position = 0
  private(set) var entry = RowSorter.Entry(prefix: 0, offset: 0, sortCount: 0, keyCount: 0, extraCount: 0)

  private static let headerSize = 12

  init(_ spill: SortSpill, _ blocks: [SortSpill.Block]) {
    self.spill = spill
    rest = blocks[...]
  }

  /// Advances to the next entry. Returns false at the end.
  func next() throws -> Bool {
    if position == buffer.count, rest.isEmpty { return false }
    try require(Self.headerSize)
    entry = RowSorter.Entry(
      prefix: 0,
      offset: 0,
      sortCount: count(at: position),
      keyCount: count(at: position + 4),
      extraCount: count(at: position + 8)
    )
    position += Self.headerSize
    try require(entry.count)
    entry.offset = position
    position += entry.count
    return true
  }

  private func count(at offset: Int) -> UInt32 {
    buffer.withUnsafeBytes {
      UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
  }

  /// Calls `body` with the bytes into which the entry's offset points.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try buffer.withUnsafeBytes(body)
  }

  /// Ensures that at least `count` bytes from `position` on are in the buffer.
  private func require(_ count: Int) throws {
    while buffer.count - position < count {
      guard let block = rest.popFirst() else {
        throw FiefError(.inputOutput, "A temporary file of a sort ends too early.")
      }
      buffer.removeFirst(position)
      position = 0
      buffer += try spill.read(block)
    }
  }
}
