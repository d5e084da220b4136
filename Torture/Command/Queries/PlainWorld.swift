import Fief
import FiefTorture

/// The objects that the stores of a seed have, as plain values.
final class PlainWorld {
  /// A change, which the stores do too.
  enum Change {
    /// A new object, or a known one with other values in some properties.
    case put(PlainRow, [String: PlainValue], isNew: Bool)
    case delete(PlainRow)
  }

  let schema: QuerySchema
  private(set) var items: [PlainRow] = []
  private(set) var targets: [PlainRow] = []
  private var marks = 0

  init(_ schema: QuerySchema) { self.schema = schema }

  func rows(_ subject: QuerySubject) -> [PlainRow] { subject == .target ? targets : items }

  /// The objects whose `next` leads to an object.
  func previous(of row: PlainRow) -> [PlainValue] {
    items.filter { if case .row(let next)? = $0.values["next"] { next === row } else { false } }.map {
      .row($0)
    }
  }

  /// The items whose link leads to a target.
  func linking(_ row: PlainRow) -> [PlainValue] {
    items.filter { if case .row(let link)? = $0.values["link"] { link === row } else { false } }.map {
      .row($0)
    }
  }

  // MARK: Changing

  /// Makes random changes, and returns them.
  func change(_ values: inout QueryValues, count: Int) -> [Change] {
    var changes: [Change] = []
    for _ in 0..<count {
      switch values.random.next(10) {
      case 0, 1: changes.append(insert(isTarget: true, &values))
      case 2, 3, 4, 5: changes.append(insert(isTarget: false, &values))
      case 6, 7, 8:
        let isTarget = values.random.chance(4)
        guard let row = pick(isTarget ? targets : items, &values) else { continue }
        let names = allNames(isTarget).filter { _ in values.random.chance(3) }
        let new = Dictionary(uniqueKeysWithValues: names.map { ($0, value($0, isTarget, &values)) })
        row.values.merge(new) { $1 }
        changes.append(.put(row, new, isNew: false))
      default:
        guard let row = pick(values.random.chance(3) ? targets : items, &values) else { continue }
        delete(row)
        changes.append(.delete(row))
      }
    }
    return changes
  }

  private func pick(_ rows: [PlainRow], _ values: inout QueryValues) -> PlainRow? {
    rows.isEmpty ? nil : values.random.pick(rows)
  }

  private func insert(isTarget: Bool, _ values: inout QueryValues) -> Change {
    marks += 1
    let key = values.key(isTarget ? schema.targetKey : schema.itemKey, number: marks)
    var new: [String: PlainValue] = [:]
    for name in allNames(isTarget) { new[name] = value(name, isTarget, &values) }
    let row = PlainRow(isTarget: isTarget, mark: marks, key: key, values: new)
    if isTarget { targets.append(row) } else { items.append(row) }
    return .put(row, row.values, isNew: true)
  }

  private func allNames(_ isTarget: Bool) -> [String] {
    isTarget
      ? schema.target.map(\.name)
      : schema.item.map(\.name) + ["link", "links", "linkSet", "linkMap", "part", "parts", "next"]
  }

  private func value(_ name: String, _ isTarget: Bool, _ values: inout QueryValues) -> PlainValue {
    if let column = (isTarget ? schema.target : schema.item).first(where: { $0.name == name }) {
      return values.value(of: column)
    }
    func link(_ rows: [PlainRow]) -> PlainValue {
      values.random.chance(3) ? .null : pick(rows, &values).map { .row($0) } ?? .null
    }
    func links() -> [PlainValue] {
      (0..<values.random.pick([0, 1, 2, 3, 6])).compactMap { _ in pick(targets, &values).map { .row($0) } }
    }
    func part() -> PlainValue {
      .part(Dictionary(uniqueKeysWithValues: schema.part.map { ($0.name, values.value(of: $0)) }))
    }
    switch name {
    case "link": return link(targets)
    case "next": return link(items)
    case "links": return .list(links())
    case "linkSet":
      var seen: Set<Int> = []
      return .list(
        links().filter { if case .row(let row) = $0 { seen.insert(row.mark).inserted } else { false } }
      )
    case "linkMap":
      return .map(
        ["a", "b", "c"].filter { _ in values.random.chance(2) }.map { (key: $0, value: link(targets)) }
      )
    case "part": return values.random.chance(3) ? .null : part()
    default: return .list((0..<values.random.next(4)).map { _ in part() })
    }
  }

  /// Deletes an object; links to it are cleared.
  private func delete(_ row: PlainRow) {
    items.removeAll { $0 === row }
    targets.removeAll { $0 === row }
    func leads(_ value: PlainValue) -> Bool {
      if case .row(let other) = value { other === row } else { false }
    }
    for item in items {
      for name in ["link", "next", "links", "linkSet", "linkMap"] {
        switch item.values[name] {
        case .row(let other)? where other === row: item.values[name] = .null
        case .list(let links)? where links.contains(where: leads):
          item.values[name] = .list(links.filter { !leads($0) })
        case .map(let links)? where links.contains(where: { leads($0.value) }):
          item.values[name] = .map(links.map { leads($0.value) ? (key: $0.key, value: .null) : $0 })
        default: break
        }
      }
    }
  }
}
