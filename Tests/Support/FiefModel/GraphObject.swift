import Fief

/// The types of the random graph. Within each an object has a number, its mark, whatever its key is.
package enum GraphKind: Int, Sendable, Hashable, CaseIterable {
  /// Keys are texts, some longer than an entry of a tree keeps.
  case person
  /// Keys are integers.
  case team
  /// Keys are compounds.
  case city
  /// No primary key: row ids.
  case note

  var type: any GraphObject.Type {
    switch self {
    case .person: GraphPerson.self
    case .team: GraphTeam.self
    case .city: GraphCity.self
    case .note: GraphNote.self
    }
  }

  /// The indexes beside those that are declared with properties.
  var indexes: [RandomIndex] { Self.allIndexes[self] ?? [] }

  private static let allIndexes: [GraphKind: [RandomIndex]] = {
    if let variation = GraphVariation.current {
      return Dictionary(uniqueKeysWithValues: allCases.map { ($0, variation.indexes(of: $0)) })
    }
    return [
      .person: [
        RandomIndex(["number"]), RandomIndex(["label"]), .fullText(["label"]), .unique(["code"]),
        RandomIndex(["number", "label"]),
      ],
      .team: [RandomIndex(["label"]).caseInsensitive],
      .note: [RandomIndex(["number"]), .unique(["code"])],
    ]
  }()

  /// The object's key as an error writes it; nil where it is a row id.
  func keyText(of id: Int) -> String? {
    switch self {
    case .person: GraphPerson.name(of: id)
    case .team: String(GraphTeam.id(of: id))
    case .city, .note: nil
    }
  }
}

/// An object of the graph, by its type and mark.
package struct GraphRef: Sendable, Hashable {
  package let kind: GraphKind
  package let id: Int

  package init(_ kind: GraphKind, _ id: Int) {
    self.kind = kind
    self.id = id
  }
}

extension GraphRef: CustomStringConvertible {
  package var description: String { "\(kind) \(id)" }
}

/// The common properties of all types of the graph.
protocol GraphObject: Object {
  var mark: Int { get set }
  var number: Int { get set }
  var label: String? { get set }
}
