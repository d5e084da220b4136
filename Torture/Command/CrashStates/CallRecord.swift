import Foundation

/// The entries that `Torture/Preload/recording_calls.c` has written.
struct CallRecord: Sendable {
  enum Operation: UInt32, Sendable {
    case opened = 1, written, resized, synchronised, renamed, unlinked, directoryMade, linked, printed,
      unknown
  }

  struct Flags: OptionSet, Sendable {
    let rawValue: UInt32
    static let created = Flags(rawValue: 1)
    static let truncated = Flags(rawValue: 2)
    static let synchronous = Flags(rawValue: 4)
    static let exchanged = Flags(rawValue: 8)
  }

  struct Entry: Sendable {
    let operation: Operation
    let flags: Flags
    let file: UInt64
    let offset: Int
    let path: String
    let other: String
    let data: [UInt8]
  }

  let entries: [Entry]

  /// - Throws: where the file is cut off or has an operation that its reader cannot follow.
  init(_ path: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var entries: [Entry] = []
    var place = 0
    func number<Number: FixedWidthInteger>(_: Number.Type) throws -> Number {
      let size = MemoryLayout<Number>.size
      guard place + size <= bytes.count else { throw BrokenTest("the record ends within an entry") }
      defer { place += size }
      return bytes[place..<place + size].reversed().reduce(0) { $0 << 8 | Number($1) }
    }
    func part(_ count: Int) throws -> [UInt8] {
      guard place + count <= bytes.count else { throw BrokenTest("the record ends within an entry") }
      defer { place += count }
      return Array(bytes[place..<place + count])
    }
    while place < bytes.count {
      guard let operation = Operation(rawValue: try number(UInt32.self)), operation != .unknown else {
        throw BrokenTest("the record has an operation that cannot be followed, at byte \(place)")
      }
      let flags = Flags(rawValue: try number(UInt32.self))
      let (file, offset) = (try number(UInt64.self), try number(UInt64.self))
      let (length, first, second) = (
        try number(UInt64.self), try number(UInt32.self), try number(UInt32.self)
      )
      entries.append(
        Entry(
          operation: operation,
          flags: flags,
          file: file,
          offset: Int(offset),
          path: String(decoding: try part(Int(first)), as: UTF8.self),
          other: String(decoding: try part(Int(second)), as: UTF8.self),
          data: try part(Int(length))
        )
      )
    }
    self.entries = entries
  }
}
