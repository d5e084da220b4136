import FiefCore

/// One index of a type, as the catalogue has it.
public struct DynamicIndex: Sendable, Hashable {
  /// The kind of entries.
  public enum Kind: String, Sendable, CaseIterable {
    /// The values of the properties, in their order.
    case ordered
    /// The words of texts.
    case fullText
  }

  /// The kind of entries.
  public let kind: Kind
  /// Whether no two objects have the same values.
  public let isUnique: Bool
  /// Whether the case of texts does not count.
  public let isCaseInsensitive: Bool
  /// The names of the properties, the one that decides first at the front.
  public let properties: [String]

  init(_ index: Table.Index, in entry: TypeEntry) {
    kind = index.entry.kind == .fullText ? .fullText : .ordered
    isUnique = index.entry.isUnique
    isCaseInsensitive = index.entry.isCaseInsensitive
    properties = index.entry.columns.map { entry.column($0)?.name ?? "?" }
  }
}

extension DynamicIndex: CustomStringConvertible {
  /// As in `unique index (team, number)`.
  public var description: String {
    IndexName(
      kind: kind == .fullText ? .fullText : .ordered,
      isUnique: isUnique,
      isCaseInsensitive: isCaseInsensitive,
      columns: properties
    ).description
  }
}
