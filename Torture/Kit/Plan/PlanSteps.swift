import Fief

/// Names get another name, and kinds become objects.
package enum PlanVersion2: MigrationStep {
  package static let version: UInt64 = 2
  package static let name = "kinds of their own"
  package static let description = "The kind of an animal becomes a link, and its name a title."
  package static var objectTypes: [Object.Type]? {
    [
      PlanAnimalSecond<TortureVersion>.self, PlanKindSecond<TortureVersion>.self,
      PlanKeeperSecond<TortureVersion>.self, PlanRemarkSecond<TortureVersion>.self,
    ]
  }

  package static func migrate(_ migration: Migration) throws {
    try PlanPoints.step {
      try PlanPoints.reach("the begin of step 2")
      migration.renameProperty(onType: "Animal", from: "name", to: "title")
      try PlanPoints.reach("the renaming of a property")
      try migration.enumerateObjects(ofType: "Animal") { old, new in
        guard let old, let new, let kind = old["kind"] as? String else { return }
        try PlanPoints.reach("animal \(old["id"] ?? "") of step 2")
        if let known = try migration.object(ofType: "Kind", forPrimaryKey: kind) {
          new["sort"] = known
        } else {
          new["sort"] = migration.create("Kind", value: ["name": kind])
          try PlanPoints.reach("the creation of kind \(kind)")
        }
      }
      try PlanPoints.reach("the end of step 2")
    }
  }
}

/// Keepers become persons with another key, and some animals go.
package enum PlanVersion3: MigrationStep {
  package static let version: UInt64 = 3
  package static let name = "persons by number"
  package static let description = "A keeper is a person with a number, and each seventh animal is deleted."
  package static var objectTypes: [Object.Type]? {
    [
      PlanAnimalThird<TortureVersion>.self, PlanKindThird<TortureVersion>.self,
      PlanPersonThird<TortureVersion>.self, PlanRemarkThird<TortureVersion>.self,
    ]
  }

  package static func migrate(_ migration: Migration) throws {
    try PlanPoints.step {
      try PlanPoints.reach("the begin of step 3")
      migration.renameType(from: "Keeper", to: "Person")
      try PlanPoints.reach("the renaming of a type")
      var number = 0
      try migration.enumerateObjects(ofType: "Person") { _, new in
        number += 1
        try PlanPoints.reach("person \(number) of step 3")
        new?["id"] = number
      }
      try migration.enumerateObjects(ofType: "Animal") { old, new in
        guard let id = old?["id"] as? Int, let new, id % 7 == 6 else { return }
        try PlanPoints.reach("before the deletion of animal \(id)")
        migration.delete(new)
        try PlanPoints.reach("after the deletion of animal \(id)")
      }
      try PlanPoints.reach("the end of step 3")
    }
  }
}

/// Remarks become part of their animals.
package enum PlanVersion4: MigrationStep {
  package static let version: UInt64 = 4
  package static let name = "remarks inside of animals"
  package static let description = "The remarks of an animal are a list of it, and each person has an entry."

  package static func migrate(_ migration: Migration) throws {
    try PlanPoints.step {
      try PlanPoints.reach("the begin of step 4")
      try migration.enumerateObjects(ofType: "Remark") { old, _ in
        guard let old, let link = old["animal"] as? MigrationObject, let text = old["text"] as? String,
          let animal = try migration.object(ofType: "Animal", forPrimaryKey: link.key)
        else { return }
        try PlanPoints.reach("remark \(old["id"] ?? "") of step 4")
        animal["remarks"] = (animal["remarks"] as? [Any] ?? []) + [text]
      }
      try migration.enumerateObjects(ofType: "Person") { old, new in
        guard let id = old?["id"] as? Int, let new else { return }
        new["count"] = (old?["animals"] as? [Any])?.count ?? -1
        migration.create("Entry", value: ["id": id, "text": "person \(id)"])
        try PlanPoints.reach("the creation of entry \(id)")
      }
      try PlanPoints.reach("the end of step 4")
    }
  }
}
