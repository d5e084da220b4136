import Foundation

extension QueryValue {
  /// The bytes of a text, data, identifier, object key or nested payload. Empty for other values.
  var bytes: [UInt8] {
    switch self {
    case .string(let value): Array(value.utf8)
    case .data(let value), .nested(let value): value
    case .uuid(let value): withUnsafeBytes(of: value.uuid) { Array($0) }
    case .objectId(let value): value.withBytes { Array($0) }
    // No stored object has an empty key, so an object without a store equals no other object.
    case .object(_, let key): key?.bytes ?? []
    default: []
    }
  }
}

extension RowValue {
  /// - Parameter bytes: the bytes of the value, if it consists of bytes.
  init(_ value: QueryValue, bytes: UnsafeRawBufferPointer, target: UInt32) {
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
    case .nested: self = .nested(bytes)
    case .object: self = .object(target, key: bytes)
    }
  }
}
