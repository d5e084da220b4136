/// A text with its case or diacritics folded. Other values are unchanged.
final class FoldedOperand: RowOperand {
  private let operand: RowOperand
  private let options: QueryTextOptions
  private var room = ValueWriter()

  private init(_ operand: RowOperand, _ options: QueryTextOptions) {
    self.operand = operand
    self.options = options
    super.init(kind: operand.kind, target: operand.target)
  }

  override var secret: RowColumn? { operand.secret }
  override var cost: Int { operand.cost + 40 }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
    folded(try operand.evaluate(row, in: environment))
  }

  private func folded(_ value: RowValue) -> RowValue {
    guard case .text(let text) = value else { return value }
    room.removeAll()
    TextFolding.append(text, options, to: &room)
    // SAFETY: the buffer does not change until the operand is evaluated again.
    return .text(room.withBytes { $0 })
  }

  override func both(_ row: QueryRow, in environment: QueryEnvironment) throws -> (
    value: RowValue, written: RowValue
  ) {
    let (value, written) = try operand.both(row, in: environment)
    guard case .text = value else { return (value, written) }
    let text = folded(value)
    return (text, text)
  }

  /// Returns the folded operand. A folded constant is a constant too.
  static func make(_ operand: RowOperand, _ options: QueryTextOptions) -> RowOperand {
    if options.isEmpty { return operand }
    guard let constant = operand.constant else { return FoldedOperand(operand, options) }
    guard case .text(let text) = constant else { return operand }
    var writer = ValueWriter()
    TextFolding.append(text, options, to: &writer)
    let storage = StableBytes(writer.bytes)
    return ConstantOperand(.text(storage.bytes), kind: operand.kind, storage: storage)
  }
}
