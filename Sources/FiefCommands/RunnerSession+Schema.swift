import Fief
import FiefConsole
import FiefMaintenance

extension RunnerSession {
  /// Reports the types and properties of every store.
  func schema() -> CommandReport {
    var report = CommandReport()
    report.stores = stores.map(described)
    report.overall = .worst(of: report.stores.map(\.outcome) + [.done])
    return report
  }

  private func described(_ store: StoreMaintenance) -> StoreReport {
    let wantsBoth = invocation.has("declared") == invocation.has("stored")
    do {
      var report = StoreReport(store.name, .done, "")
      let declared = wantsBoth || invocation.has("declared") ? try store.declaredSchema() : nil
      var stored: SchemaDescription?
      if wantsBoth || invocation.has("stored"), store.place != .memory {
        stored = try store.inspect()?.schema
      }
      report.add("declared", declared.map(document) ?? .null)
      report.add("stored", stored.map(document) ?? .null)
      if let declared, let stored, declared.isLike(stored) {
        report.lines = ["version \(declared.version), declared and stored:"] + lines(for: declared)
        return report
      }
      if let declared { report.lines += ["version \(declared.version), declared:"] + lines(for: declared) }
      if let stored { report.lines += ["version \(stored.version), stored:"] + lines(for: stored) }
      if stored == nil, wantsBoth || invocation.has("stored") {
        report.lines.append(
          store.place == .memory ? "in memory: nothing is stored" : "not created yet: nothing is stored"
        )
      }
      return report
    } catch {
      return failure(error, store)
    }
  }

  private func lines(for schema: SchemaDescription) -> [String] {
    schema.types.flatMap { type -> [String] in
      var lines = ["  \(type.name)\(type.isEmbedded ? " (embedded)" : "")"]
      for property in type.properties {
        let marks =
          (property.isPrimaryKey ? " *" : "") + (property.isIndexed ? " +" : "")
          + (property.isSecret ? " secret" : "")
        let origin = property.originProperty.map { " back along \($0)" } ?? ""
        lines.append("    \(property.name): \(property.type)\(marks)\(origin)")
      }
      let indexes = type.indexes.filter { !$0.hasPrefix("index (") || $0.contains(",") }
      for line in indexes + type.relationships + type.derived { lines.append("    \(line)") }
      return lines
    }
  }

  private func document(_ schema: SchemaDescription) -> JSONValue {
    let types = schema.types.map { type -> JSONValue in
      let properties = type.properties.map { property -> JSONValue in
        [
          "name": .string(property.name), "type": .string(property.type.description),
          "isPrimaryKey": .bool(property.isPrimaryKey), "isIndexed": .bool(property.isIndexed),
          "isSecret": .bool(property.isSecret),
          "origin": .text(property.originProperty),
        ]
      }
      return [
        "name": .string(type.name), "isEmbedded": .bool(type.isEmbedded), "properties": .array(properties),
        "indexes": .array(type.indexes.map { .string($0) }),
        "relationships": .array(type.relationships.map { .string($0) }),
        "derivedProperties": .array(type.derived.map { .string($0) }),
      ]
    }
    return ["version": .unsigned(schema.version), "types": .array(types)]
  }

  /// Reports the differences between every store and its declaration.
  func diff() -> CommandReport {
    var report = CommandReport()
    report.stores = stores.map(compared)
    if report.outcome == .nothingToDo { report.closing = ["The stores match their declarations."] }
    return report
  }

  private func compared(_ store: StoreMaintenance) -> StoreReport {
    let state = store.state()
    if case .unusable(let error) = state { return failure(error, store) }
    guard let seen = state.inspection else {
      var report = StoreReport(store.name, .nothingToDo, words(for: state))
      report.lines = ["\(words(for: state)): nothing to compare"]
      report.add("changes", [])
      return report
    }
    do {
      let changes = try store.forecast(of: seen).changes
      let isSame = changes.isEmpty && seen.version == store.declaredVersion
      var report = StoreReport(store.name, isSame ? .nothingToDo : .done, isSame ? "same" : "different")
      if seen.version != store.declaredVersion {
        report.lines.append("stored version \(seen.version), declared version \(store.declaredVersion)")
      }
      report.lines += changes.map(\.difference)
      if changes.isEmpty { report.lines.append("the classes do not differ") }
      report.add("version", .unsigned(seen.version))
      report.add("declaredVersion", .unsigned(store.declaredVersion))
      report.add("changes", .array(changes.map(document)))
      return report
    } catch {
      return failure(error, store)
    }
  }
}

extension SchemaDescription {
  /// Whether another schema has the same types and properties, in any order.
  func isLike(_ other: SchemaDescription) -> Bool {
    func sorted(_ schema: SchemaDescription) -> [[String]] {
      schema.types.map { type in
        [type.name, "\(type.isEmbedded)"]
          + type.properties.map { property in
            // The default for older objects is omitted, because a class does not declare it.
            "\(property.name) \(property.type) \(property.isPrimaryKey) \(property.isIndexed) "
              + "\(property.isSecret) "
              + "\(property.originProperty ?? "")"
          }.sorted()
      }
    }
    return version == other.version && sorted(self) == sorted(other)
  }
}
