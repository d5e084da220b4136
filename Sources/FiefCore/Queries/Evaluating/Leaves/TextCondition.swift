/// A comparison of a column of texts or data with a constant.
final class TextCondition: RowCondition {
  private enum Test {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, begins, ends, contains, like
  }

  private let column: RowColumn
  private let test: Test
  private let wanted: StableBytes
  private let pattern: LikePattern?
  private let options: QueryTextOptions
  /// Whether ASCII texts can be compared byte by byte without folding them first.
  private let comparesASCII: Bool
  private var room = ValueWriter()

  init(
    _ column: RowColumn,
    _ comparison: QueryComparison,
    _ constant: UnsafeRawBufferPointer,
    _ options: QueryTextOptions
  ) {
    self.column = column
    self.options = options
    var folded = ValueWriter()
    TextFolding.append(constant, options, to: &folded)
    wanted = StableBytes(folded.bytes)
    pattern = comparison == .like ? LikePattern(wanted.bytes) : nil
    test =
      switch comparison {
      case .equal: .equal
      case .notEqual: .notEqual
      case .less: .less
      case .lessOrEqual: .lessOrEqual
      case .greater: .greater
      case .greaterOrEqual: .greaterOrEqual
      case .beginsWith: .begins
      case .endsWith: .ends
      case .contains: .contains
      case .like: .like
      }
    comparesASCII = TextFolding.isASCII(wanted.bytes)
  }

  override var cost: Int {
    let folding = options.isEmpty ? 0 : 20
    return switch test {
    case .equal, .notEqual, .begins, .ends: 6 + folding
    case .less, .lessOrEqual, .greater, .greaterOrEqual: 8 + folding
    case .contains: 40 + folding
    case .like: 80 + folding
    }
  }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    guard let text = try column.bytes(of: row) else { return test == .notEqual }
    if options.isEmpty { return holds(text) }
    return holdsFolded(text)
  }

  @inline(__always)
  private func holds(_ text: UnsafeRawBufferPointer) -> Bool {
    switch test {
    case .begins: ByteSearch.begins(text, with: wanted.bytes)
    case .equal: text.hasSameBytes(as: wanted.bytes)
    case .notEqual: !text.hasSameBytes(as: wanted.bytes)
    default: holdsOtherwise(text)
    }
  }

  @inline(never)
  private func holdsOtherwise(_ text: UnsafeRawBufferPointer) -> Bool {
    switch test {
    case .equal, .notEqual, .begins: false
    case .less: text.compare(wanted.bytes) < 0
    case .lessOrEqual: text.compare(wanted.bytes) <= 0
    case .greater: text.compare(wanted.bytes) > 0
    case .greaterOrEqual: text.compare(wanted.bytes) >= 0
    case .ends: ByteSearch.ends(text, with: wanted.bytes)
    case .contains: ByteSearch.contains(text, wanted.bytes)
    case .like: pattern?.matches(text) ?? false
    }
  }

  @inline(never)
  private func holdsFolded(_ text: UnsafeRawBufferPointer) -> Bool {
    // Folding an ASCII text does not change its length, so parts of it can be compared in place.
    if comparesASCII, TextFolding.isASCII(text) {
      switch test {
      case .equal, .notEqual:
        let isEqual = text.count == wanted.bytes.count && hasConstant(text, at: 0)
        return isEqual == (test == .equal)
      case .begins: return hasConstant(text, at: 0)
      case .ends: return hasConstant(text, at: text.count - wanted.bytes.count)
      default: break
      }
    }
    room.removeAll()
    TextFolding.append(text, options, to: &room)
    return room.withBytes { holds($0) }
  }

  private func hasConstant(_ text: UnsafeRawBufferPointer, at start: Int) -> Bool {
    let constant = wanted.bytes
    guard start >= 0, constant.count <= text.count - start else { return false }
    let folds = options.contains(.caseInsensitive)
    for index in 0..<constant.count {
      let byte = text[start + index]
      if (folds ? TextFolding.lowercased(byte) : byte) != constant[index] { return false }
    }
    return true
  }
}
