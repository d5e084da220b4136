import Foundation

extension QueryBinding {
  func operand(_ operand: QueryOperand) throws -> RowOperand {
    try nested {
      switch operand {
      case .value(let value): try constant(value)
      case .path(let path): try value(path)
      default: throw binder.invalid("Not yet.", property: Self.property(of: operand))
      }
    }
  }

  func constant(_ value: QueryValue) throws -> RowOperand {
    var target: UInt32 = 0
    if case .object(let type, _) = value {
      guard let table = binder.tables[type] else {
        throw FiefError(
          .unknownType,
          "The type does not belong to the store.",
          store: binder.tables.storeName,
          type: type
        )
      }
      target = table.entry.id
    }
    let storage = StableBytes(value.bytes)
    let row = RowValue(value, bytes: storage.bytes, target: target)
    return ConstantOperand(row, kind: value.kind, target: target, storage: storage)
  }
}

extension QueryValue {
  /// The bytes of a value that is made of bytes.
  fileprivate var bytes: [UInt8] {
    switch self {
    case .string(let value): Array(value.utf8)
    case .data(let value): value
    case .uuid(let value): withUnsafeBytes(of: value.uuid) { Array($0) }
    case .objectId(let value): value.withBytes { Array($0) }
    // No object has an empty key, so that one in no store equals no other.
    case .object(_, let key): key?.bytes ?? []
    default: []
    }
  }
}

extension RowValue {
  /// - Parameter bytes: those of a value that is made of bytes.
  fileprivate init(_ value: QueryValue, bytes: UnsafeRawBufferPointer, target: UInt32) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(Int128(value))
    case .double(let value): self = .double(value)
    case .decimal(let value): self = .decimal(value)
    case .string: self = .text(bytes)
    case .data: self = .data(bytes)
    case .date(let value): self = .date(value)
    case .uuid: self = .uuid(bytes)
    case .objectId: self = .objectId(bytes)
    case .object: self = .object(target, key: bytes)
    }
  }
}
