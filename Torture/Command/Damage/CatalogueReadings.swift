import Fief
import FiefTorture
import FiefTree

/// What a store of any schema answers by its catalogue: objects, look-ups, each index, links back, a copy; and writes to it.
struct CatalogueReadings {
  typealias Answer = StoreReadings.Answer

  /// A question that the healthy store can answer.
  struct Question {
    let name: String
    let ask: (DynamicStore) throws -> String
  }

  private(set) var questions: [Question] = []
  /// The parts of right answers in all states that were noted.
  private(set) var known = KnownParts()
  /// The types with the keys that the healthy store has.
  private var keys: [(type: String, keys: [ObjectKey])] = []

  /// Finds the questions in the healthy store.
  init(_ healthy: DynamicStore) throws {
    for type in healthy.types.sorted(by: { $0.name < $1.name }) where !type.isEmbedded {
      var objects: [DynamicObject] = []
      try healthy.forEach(ofType: type.name) { objects.append($0) }
      keys.append((type.name, objects.compactMap(\.key)))
      add(type.name, objects.compactMap(\.key))
      for index in type.indexes { add(index, of: type.name, objects) }
      if type.name == Self.nodes { addTree() }
    }
    questions = questions.filter { question in
      if case .text = Answer(of: { try question.ask(healthy) }) { true } else { false }
    }
  }

  /// Keeps the questions to which two healthy stores give the same answer, and the objects to change that both have: migrations
  /// make identifiers by chance.
  mutating func keepEqual(_ first: DynamicStore, _ second: DynamicStore) throws {
    questions = questions.filter { question in
      Answer(of: { try question.ask(first) }) == Answer(of: { try question.ask(second) })
    }
    keys = try keys.map { type, keys in
      let common = try keys.filter { key in
        try first.object(ofType: type, forKey: key) != nil && second.object(ofType: type, forKey: key) != nil
      }
      return (type, common)
    }
  }

  func answers(of store: DynamicStore) -> [Answer] {
    questions.map { question in Answer(of: { try question.ask(store) }) }
  }

  /// Notes answers of a state of the healthy store.
  mutating func note(_ answers: [Answer]) {
    for (question, answer) in zip(questions, answers) { known.add(question.name, answer) }
  }

  private mutating func add(_ type: String, _ keys: [ObjectKey]) {
    questions.append(
      Question(name: "\(type): objects") { store in
        var text = ""
        try store.forEach(ofType: type) { text += try $0.json() + "\n" }
        return text
      }
    )
    questions.append(Question(name: "\(type): count") { "#\(try $0.count(of: type))" })
    questions.append(
      Question(name: "\(type): look-ups") { store in
        try keys.map { try store.object(ofType: type, forKey: $0)?.json() ?? "-" }.joined(separator: "\n")
      }
    )
    questions.append(
      Question(name: "\(type): links back") { store in
        try keys.map { key in
          try store.objects(linkingTo: type, forKey: key).map { links in
            links.keys.map { "\(links.typeName) \(links.property) \($0)\n" }.joined()
          }.joined() + "\n"
        }.joined()
      }
    )
  }

  /// The type of the entries of a tree.
  private static let nodes = "JSONTreeNode"

  private mutating func addTree() {
    questions.append(
      Question(name: "\(Self.nodes): tree") { store in
        try store.read { Self.lines(try StoredTree($0).value(at: ""), "").joined(separator: "\n") }
      }
    )
    questions.append(
      Question(name: "\(Self.nodes): names") { store in
        var names: [String] = []
        try store.read {
          try StoredTree($0).forEachName(at: "inbox") { name in
            names.append(name)
            return true
          }
        }
        return names.joined(separator: "\n")
      }
    )
  }

  /// A line for each leaf.
  private static func lines(_ value: JSON, _ path: String) -> [String] {
    guard let object = value.object else { return ["\(path) \(value.text())"] }
    return object.flatMap { lines($0.value, "\(path)/\($0.name)") }
  }

  private mutating func add(_ index: DynamicIndex, of type: String, _ objects: [DynamicObject]) {
    let properties = index.properties
    let name = "\(type): index of \(properties.joined(separator: ", "))"
    func keys(_ store: DynamicStore, _ text: String, _ arguments: [Any]) throws -> String {
      try store.read { snapshot in
        let first = arguments.first
        let query =
          switch arguments.count {
          case 0: try snapshot.query(type, text)
          case 1: try snapshot.query(type, text, first as Any)
          default: try snapshot.query(type, text, arguments[0], arguments[1])
          }
        return try query.objects().map { "\($0.key.map { "\($0)" } ?? "-")\n" }.joined() + "\n"
      }
    }
    if index.kind == .fullText {
      let texts = objects.compactMap { $0[properties[0]] as? String }
      let words = Set(texts.flatMap { $0.split { !$0.isLetter }.map(String.init) }).sorted().prefix(40)
      questions.append(
        Question(name: name) { store in
          try words.map { try keys(store, "\(properties[0]) MATCHES %@", [$0]) }.joined()
        }
      )
      return
    }
    let order = properties.joined(separator: ", ")
    questions.append(Question(name: name + ", sort") { try keys($0, "TRUEPREDICATE SORT(\(order))", []) })
    let used = properties.prefix(2)
    let condition = used.map { "\($0) == %@" }.joined(separator: " AND ")
    let values = objects.map { object in used.compactMap { object[$0] } }.filter { $0.count == used.count }
    questions.append(
      Question(name: name) { store in
        try values.map { try keys(store, condition, $0) }.joined()
      }
    )
  }

  /// Writes the first object of each type again, and deletes the last one; each is done, or fails as it does in the healthy
  /// store.
  func change(_ store: DynamicStore) -> [Answer] {
    changeObjects(store) + (keys.contains { $0.type == Self.nodes } ? [changeTree(store)] : [])
  }

  /// Sets a place of the tree, and removes another one. The places of one commit would be noted in any order.
  private func changeTree(_ store: DynamicStore) -> Answer {
    Answer(of: {
      let isSet = try store.write {
        try StoredTree.setValue(["changed": true], at: "inbox/member-1", in: $0)
      }
      return "\(isSet) \(try store.write { try StoredTree.setValue(.null, at: "inbox/member-2", in: $0) })"
    })
  }

  private func changeObjects(_ store: DynamicStore) -> [Answer] {
    keys.flatMap { type, keys -> [Answer] in
      guard let first = keys.first, let last = keys.last else { return [] }
      return [
        Answer(of: {
          guard let json = try store.object(ofType: type, forKey: first)?.json() else { return "-" }
          return try store.write { "\(try $0.put(type, json: json, onConflict: .replace).outcome)" }
        }),
        Answer(of: { try store.write { "\(try $0.delete(type, forKey: last))" } }),
      ]
    }
  }
}
