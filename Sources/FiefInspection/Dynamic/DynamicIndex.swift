import FiefCore

/// An index of a type in the catalogue.
public struct DynamicIndex: Sendable, Hashable {
  /// The kind of an index.
  public enum Kind: String, Sendable, CaseIterable {
    /// An index of the values of properties, in the order of the values.
    case ordered
    /// An index of the words of texts.
    case fullText

    init(_ kind: IndexEntry.Kind) {
      switch kind {
      case .ordered: self = .ordered
      case .fullText: self = .fullText
      }
    }
  }

  private let name: IndexName

  init(_ index: Table.Index, in entry: TypeEntry) { name = index.entry.name(in: entry) }

  /// The kind of the index.
  public var kind: Kind { Kind(name.kind) }
  /// A Boolean value that indicates whether no two objects have the same values.
  public var isUnique: Bool { name.isUnique }
  /// A Boolean value that indicates whether the index ignores the case of texts.
  public var isCaseInsensitive: Bool { name.isCaseInsensitive }
  /// The names of the properties, in their order in the index.
  public var properties: [String] { name.columns }
}

extension DynamicIndex: CustomStringConvertible {
  /// A description of the index, such as `unique index (team, number)`.
  public var description: String { name.description }
}
