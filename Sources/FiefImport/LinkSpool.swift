import Fief
import Foundation

/// Stores records whose links could not be set yet, because they lead to objects of later lines.
final class LinkSpool {
  /// A record with waiting links.
  struct Entry {
    let line: Int
    let typeName: String
    let key: ObjectKey
    let bytes: [UInt8]
  }

  private let file = TemporaryFile()
  private(set) var count = 0

  func append(_ entry: Entry) throws {
    count += 1
    var data = Data()
    for part in [[UInt8](entry.typeName.utf8), entry.key.bytes, entry.bytes] {
      withUnsafeBytes(of: UInt64(part.count)) { data.append(contentsOf: $0) }
    }
    withUnsafeBytes(of: UInt64(entry.line)) { data.append(contentsOf: $0) }
    data.append(contentsOf: entry.typeName.utf8)
    data.append(contentsOf: entry.key.bytes)
    data.append(contentsOf: entry.bytes)
    try file.write(data)
  }

  /// Passes all records to `body`, in batches.
  ///
  /// - Parameters:
  ///   - size: the maximum number of records in a batch.
  ///   - most: the number of bytes of records after which a batch ends.
  func forEachBatch(of size: Int, bytes most: Int, _ body: ([Entry]) throws -> Void) throws {
    let read = try file.reader()
    // An array with an offset: `Data` keeps the bytes that `removeFirst` removes.
    var buffer: [UInt8] = []
    var start = 0
    func take(_ count: Int) throws -> [UInt8] {
      if buffer.count - start < count {
        buffer.removeSubrange(..<start)
        start = 0
        while buffer.count < count {
          let more = try read()
          guard !more.isEmpty else { throw CocoaError(.fileReadCorruptFile) }
          buffer.append(contentsOf: more)
        }
      }
      defer { start += count }
      return Array(buffer[start..<start + count])
    }
    func number() throws -> Int {
      try take(8).withUnsafeBytes { Int(clamping: $0.loadUnaligned(as: UInt64.self)) }
    }
    var batch: [Entry] = []
    var held = 0
    for _ in 0..<count {
      let (type, key, bytes, line) = (try number(), try number(), try number(), try number())
      batch.append(
        Entry(
          line: line,
          typeName: String(decoding: try take(type), as: UTF8.self),
          key: ObjectKey(storedBytes: try take(key)),
          bytes: try take(bytes)
        )
      )
      held += bytes
      if batch.count == size || held >= most {
        try body(batch)
        (batch, held) = ([], 0)
      }
    }
    if !batch.isEmpty { try body(batch) }
  }
}
