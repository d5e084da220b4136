import Fief

/// The objects that a batch of an import speaks of, by their keys.
///
/// The stored objects of each type are looked up first, and the others are added then, all in the order of
/// their keys: a lookup after a change would have to write that first.
struct ImportedObjects {
  private let tx: WriteTransaction
  private(set) var packages: [String: Package] = [:]
  private(set) var maintainers: [String: Maintainer] = [:]
  private(set) var sources: [String: Source] = [:]
  private(set) var sections: [String: Section] = [:]
  private(set) var tags: [String: Tag] = [:]

  init(_ tx: WriteTransaction) {
    self.tx = tx
  }

  mutating func addPackages(_ names: some Sequence<String>) throws {
    try add(names, to: \.packages) { name in
      let package = Package()
      package.name = name
      return package
    }
  }

  mutating func addMaintainers(_ addresses: some Sequence<MaintainerAddress>) throws {
    let names = Dictionary(addresses.map { ($0.email, $0.name) }) { first, _ in first }
    try add(names.keys, to: \.maintainers) { email in
      let maintainer = Maintainer()
      maintainer.email = email
      maintainer.name = names[email] ?? ""
      return maintainer
    }
  }

  mutating func addSources(_ names: some Sequence<String>) throws {
    try add(names, to: \.sources) { name in
      let source = Source()
      source.name = name
      return source
    }
  }

  mutating func addSections(_ names: some Sequence<String>) throws {
    try add(names, to: \.sections) { name in
      let section = Section()
      section.name = name
      (section.area, section.topic) = Section.parts(of: name)
      return section
    }
  }

  mutating func addTags(_ names: some Sequence<String>) throws {
    try add(names, to: \.tags) { name in
      let tag = Tag()
      tag.name = name
      (tag.facet, tag.value) = Tag.parts(of: name)
      return tag
    }
  }

  /// Adds the objects with keys that were not asked for before: the stored ones, and new ones for the others.
  private mutating func add<Element: Object>(
    _ keys: some Sequence<String>,
    to objects: WritableKeyPath<Self, [String: Element]>,
    make: (String) -> Element
  ) throws {
    var missing: [String] = []
    for key in Set(keys).subtracting(self[keyPath: objects].keys).sorted() {
      if let object = try tx.object(ofType: Element.self, forPrimaryKey: key) {
        self[keyPath: objects][key] = object
      } else {
        missing.append(key)
      }
    }
    for key in missing {
      let object = make(key)
      try tx.add(object, update: .error)
      self[keyPath: objects][key] = object
    }
  }
}
