import Fief

/// A finding of a rehearsal: a type or property of the old schema that the new schema lacks or has renamed.
package struct RehearsalFinding: Sendable, Equatable {
  /// The type of the old schema.
  package let type: String
  /// The property of the old schema, or `nil` for the type itself.
  package let property: String?
  /// The new name, or `nil` if the type or property no longer exists.
  package let newName: String?
  /// The number of objects that had it before, or `nil` for embedded objects, which are not counted.
  package let objects: Int?

  /// Whether the values are no longer stored under the type or property.
  package var isLoss: Bool { newName == nil }

  /// Returns the finding as a sentence.
  ///
  /// - Parameter hasBlock: whether a migration block ran, which may have moved the values elsewhere.
  package func sentence(hasBlock: Bool) -> String {
    let old = property.map { "\(type).\($0)" } ?? type
    if let newName {
      return property == nil
        ? "\(old) is now \(newName): renamed, its objects are kept."
        : "\(old) is now \(newName): renamed, its values are kept."
    }
    let count = objects.map { $0 == 1 ? " of 1 object" : " of \($0) objects" } ?? ""
    let what = property == nil ? objects.map { $0 == 1 ? "1 object is" : "\($0) objects are" } : nil
    let lost = what ?? (property == nil ? "its values are" : "the values\(count) are")
    return hasBlock
      ? "\(old) was removed: \(lost) lost, except for data that the block stored elsewhere."
      : "\(old) was removed: \(lost) lost."
  }

  /// Compares the schemas before and after a migration by their ids, which a rename keeps. A type whose key
  /// was changed has a new id but the same name.
  static func list(before: StoreInspection, after: Catalogue) -> [RehearsalFinding] {
    before.catalogue.types.flatMap { old -> [RehearsalFinding] in
      let objects = old.isEmbedded ? nil : before.type(old.name)?.count ?? 0
      if objects == 0 { return [] }
      let same = after.types.first { $0.id == old.id }
      guard let new = same ?? after.type(named: old.name) else {
        return [RehearsalFinding(type: old.name, property: nil, newName: nil, objects: objects)]
      }
      // A class that changed between embedded and not embedded has a new id and the same name.
      if same == nil, new.isEmbedded != old.isEmbedded { return [] }
      var findings: [RehearsalFinding] = []
      if new.name != old.name {
        findings.append(RehearsalFinding(type: old.name, property: nil, newName: new.name, objects: objects))
      }
      for column in old.currentColumns where column.type.isStored {
        let kept = same == nil ? nil : new.column(column.id).flatMap { $0.isDropped ? nil : $0 }
        if let kept {
          guard kept.name != column.name else { continue }
        } else if new.column(named: column.name) != nil {
          // The property has a new column. The change of its type or of the key is reported elsewhere.
          continue
        }
        findings.append(
          RehearsalFinding(
            type: old.name,
            property: column.name,
            newName: kept.map { "\(new.name).\($0.name)" },
            objects: objects
          )
        )
      }
      return findings
    }
  }
}
