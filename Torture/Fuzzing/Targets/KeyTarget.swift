@testable import LMDB

extension FuzzTarget {
  /// Keys: any bytes are elements or an error, elements give the same bytes back, and the order of keys is that of their values.
  static let keys = FuzzTarget(
    name: "keys",
    longest: 600,
    seeds: {
      var encoder = KeyEncoder()
      encoder.appendNull()
      encoder.append(-2)
      encoder.append(1.5)
      encoder.append(true)
      encoder.append(string: "a")
      return [[UInt8(encoder.bytes.count)] + encoder.bytes + encoder.bytes]
    },
    run: { input, defect in
      var rest = FuzzInput(input)
      let (first, second) = (rest.sized(), rest.remaining())
      let elements = try KeyChecks.elements(first, defect)
      let others = try KeyChecks.elements(second, defect)
      if let elements, let others { try KeyChecks.checkOrder(first, elements, second, others) }
      for key in [first, second] { try KeyChecks.checkSuccessor(key) }
    }
  )
}

private enum KeyChecks {
  /// Reads a key in all ways.
  ///
  /// - Returns: the elements; nil where the bytes are no key.
  static func elements(_ bytes: [UInt8], _ defect: PlantedDefect) throws -> [KeyElement]? {
    try bytes.withUnsafeBytes { buffer in
      var decoder = KeyDecoder(buffer)
      var encoder = KeyEncoder()
      var elements: [KeyElement] = []
      var isKey = true
      while isKey {
        let start = bytes.count - decoder.remaining.count
        var (skipper, integers, positive) = (decoder, decoder, decoder)
        let integer = try? integers.nextInteger()
        let found = positive.nextPositiveInteger()
        var element: KeyElement?
        do { element = try decoder.next() } catch {
          isKey = false
          try require(decoder.offset == start, "an error has moved the decoder: \(bytes.hex)")
        }
        guard var element else {
          try require(integer == nil && found == nil, "an integer where there is none: \(bytes.hex)")
          break
        }
        try skipper.skip()
        try require(skipper.offset == decoder.offset, "skipped to another place: \(bytes.hex)")
        if case .integer(let value) = element {
          try require(integer == value && integers.offset == decoder.offset, "another integer: \(bytes.hex)")
          try require(found == (value > 0 ? value : nil), "another positive integer: \(bytes.hex)")
        } else {
          try require(integer == nil && found == nil, "no integer was read as one: \(bytes.hex)")
        }
        if defect.isPlanted, case .bytes(let content) = element {
          // An escaped 1 is read as 0.
          element = .bytes(content.map { $0 == 1 ? 0 : $0 })
        }
        let before = encoder.bytes.count
        try encoder.append(element)
        try require(encoder.bytes.elementsEqual(bytes[..<decoder.offset]), "other bytes: \(bytes.hex)")
        try checkCut(Array(encoder.bytes[before...]))
        elements.append(element)
      }
      return isKey ? elements : nil
    }
  }

  static func checkOrder(
    _ first: [UInt8],
    _ elements: [KeyElement],
    _ second: [UInt8],
    _ others: [KeyElement]
  ) throws {
    let differing = zip(elements, others).lazy.map { order($0, $1) }.first { $0 != 0 }
    let ofValues = differing ?? (elements.count - others.count).signum()
    let isBefore = first.lexicographicallyPrecedes(second)
    let ofBytes = isBefore ? -1 : first == second ? 0 : 1
    try require(ofValues == ofBytes, "the order of values is \(ofValues): \(first.hex) \(second.hex)")
    // No key is a prefix of another one, unless all its elements are.
    if second.starts(with: first) { try require(differing == nil, "a prefix: \(first.hex) \(second.hex)") }
  }

  /// -1, 0 or 1, from the values alone.
  private static func order(_ first: KeyElement, _ second: KeyElement) -> Int {
    switch (first, second) {
    case (.integer(let first), .integer(let second)): order(first, second)
    case (.unsigned(let first), .unsigned(let second)): order(first, second)
    case (.integer, .unsigned): -1
    case (.unsigned, .integer): 1
    case (.float(let first), .float(let second)): total(first, second)
    case (.double(let first), .double(let second)), (.date(let first), .date(let second)):
      total(first, second)
    case (.bool(let first), .bool(let second)): order(first ? 1 : 0, second ? 1 : 0)
    case (.string(let first), .string(let second)):
      order(Array(first.unicodeScalars.map(\.value)), Array(second.unicodeScalars.map(\.value)))
    case (.bytes(let first), .bytes(let second)), (.uuid(let first), .uuid(let second)),
      (.objectID(let first), .objectID(let second)), (.decimal(let first), .decimal(let second)):
      order(first, second)
    default: order(rank(first), rank(second))
    }
  }

  private static func rank(_ element: KeyElement) -> Int {
    switch element {
    case .null: 0
    case .bytes: 1
    case .string: 2
    case .integer, .unsigned: 3
    case .float: 4
    case .double: 5
    case .bool: 6
    case .uuid: 7
    case .objectID: 8
    case .date: 9
    case .decimal: 10
    }
  }

  private static func order<Value: Comparable>(_ first: Value, _ second: Value) -> Int {
    first < second ? -1 : first == second ? 0 : 1
  }

  private static func order<Value: Comparable>(_ first: [Value], _ second: [Value]) -> Int {
    first == second ? 0 : first.lexicographicallyPrecedes(second) ? -1 : 1
  }

  private static func total<Value: BinaryFloatingPoint>(_ first: Value, _ second: Value) -> Int {
    if !first.isTotallyOrdered(belowOrEqualTo: second) { return 1 }
    return second.isTotallyOrdered(belowOrEqualTo: first) ? 0 : -1
  }

  /// A cut element is short enough, is one element for a reader, and begins as the whole one does.
  private static func checkCut(_ element: [UInt8]) throws {
    for limit in [TruncatedKey.minimumLimit, 240] {
      let (bytes, isTruncated) = TruncatedKey.truncated(element, limit: limit)
      guard isTruncated else {
        try require(bytes == element, "changed and not cut: \(element.hex)")
        continue
      }
      try require(bytes.count <= limit, "cut to \(bytes.count) of \(limit) bytes: \(element.hex)")
      let kept = TruncatedKey.prefixCount(ofTruncated: bytes)
      try require(bytes.prefix(kept).elementsEqual(element.prefix(kept)), "another prefix: \(element.hex)")
      try bytes.withUnsafeBytes { buffer in
        var decoder = KeyDecoder(buffer)
        try decoder.skip()
        try require(decoder.isAtEnd, "a cut element has a rest: \(element.hex)")
        try require(TruncatedKey.isTruncated(buffer, limit: limit), "not seen as cut: \(element.hex)")
      }
    }
  }

  static func checkSuccessor(_ key: [UInt8]) throws {
    guard let successor = keySuccessor(ofPrefix: key) else {
      return try require(key.allSatisfy { $0 == 0xFF }, "no successor: \(key.hex)")
    }
    for longer in [key, key + [0], key + [0xFF, 0xFF]] {
      try require(longer.lexicographicallyPrecedes(successor), "the successor is not behind: \(key.hex)")
    }
  }
}
