import Foundation

/// Writes new contents of an object as values by property, for documents and stores without classes.
struct GraphValueWriter {
  let model: GraphModel

  /// The values of whole properties; other assignments are left out.
  func values(of saving: GraphSaving, isDynamic: Bool = false) -> [String: Any] {
    var values: [String: Any] = ["mark": saving.ref.id]
    switch saving.ref.kind {
    case .person: values["name"] = GraphPerson.name(of: saving.ref.id)
    case .team: values["id"] = GraphTeam.id(of: saving.ref.id)
    default: break
    }
    for assignment in saving.assignments {
      switch assignment {
      case .number(let number): values["number"] = number
      case .label(let label): values["label"] = label ?? NSNull()
      case .code(let code): values["code"] = code ?? NSNull()
      case .words(.assign(let words)): values["words"] = words
      case .tags(let tags): values["tags"] = tags
      case .part(let part): values["part"] = part.map { self.values(of: $0, saving.ref) } ?? NSNull()
      case .parts(let parts): values["parts"] = parts.map { self.values(of: $0, saving.ref) }
      case .link(let place, .assign(let links)):
        values[GraphRelation.all[place].side.name] = self.values(of: links, place, saving.ref)
      default: break
      }
    }
    // A dynamic dictionary has no nil values: they are left out.
    if isDynamic { values = values.mapValues { Self.dynamic($0) } }
    return values
  }

  private static func dynamic(_ value: Any) -> Any {
    switch value {
    case is NSNull: Any?.none as Any
    case let members as [String: Any]: members.mapValues { dynamic($0) }
    case let elements as [[String: Any]]: elements.map { $0.mapValues { dynamic($0) } }
    default: value
    }
  }

  private func key(_ kind: GraphKind, _ id: Int?, _ owner: GraphRef) -> Any? {
    guard let id, model.exists(kind, id) || GraphRef(kind, id) == owner else { return nil }
    return kind == .person ? GraphPerson.name(of: id) : GraphTeam.id(of: id)
  }

  private func values(of links: [GraphLink], _ place: Int, _ owner: GraphRef) -> Any {
    let relation = GraphRelation.all[place]
    switch relation.shape {
    case .link: return key(relation.target, links.first?.target, owner) ?? NSNull()
    case .list, .set: return links.compactMap { key(relation.target, $0.target, owner) }
    case .map:
      var entries: [String: Any] = [:]
      for link in links { entries[link.key] = key(relation.target, link.target, owner) ?? NSNull() }
      return entries
    }
  }

  private func values(of part: GraphPartState, _ owner: GraphRef) -> [String: Any] {
    var values: [String: Any] = ["text": part.text, "number": part.number ?? NSNull()]
    values["people"] = part.people.compactMap { key(.person, $0, owner) }
    if let detail = part.detail {
      values["detail"] =
        ["text": detail.text, "team": key(.team, detail.team, owner) ?? NSNull()] as [String: Any]
    }
    return values
  }
}
