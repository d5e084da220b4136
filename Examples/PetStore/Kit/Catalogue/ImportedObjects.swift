import Fief

/// The objects that a batch of an import speaks of, by their keys.
///
/// They are asked for all at once, and what is not there is added all at once: one pass over each type, and one write
/// in the order of the keys.
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
    try add(names, to: \.packages, key: \.name) { tx, known in
      tx.objects(Package.self).where { $0.name.in(known) }
    } make: { name in
      let package = Package()
      package.name = name
      return package
    }
  }

  mutating func addMaintainers(_ addresses: some Sequence<MaintainerAddress>) throws {
    let names = Dictionary(addresses.map { ($0.email, $0.name) }) { first, _ in first }
    try add(names.keys, to: \.maintainers, key: \.email) { tx, known in
      tx.objects(Maintainer.self).where { $0.email.in(known) }
    } make: { email in
      let maintainer = Maintainer()
      maintainer.email = email
      maintainer.name = names[email] ?? ""
      return maintainer
    }
  }

  mutating func addSources(_ names: some Sequence<String>) throws {
    try add(names, to: \.sources, key: \.name) { tx, known in
      tx.objects(Source.self).where { $0.name.in(known) }
    } make: { name in
      let source = Source()
      source.name = name
      return source
    }
  }

  mutating func addSections(_ names: some Sequence<String>) throws {
    try add(names, to: \.sections, key: \.name) { tx, known in
      tx.objects(Section.self).where { $0.name.in(known) }
    } make: { name in
      let section = Section()
      section.name = name
      (section.area, section.topic) = Section.parts(of: name)
      return section
    }
  }

  mutating func addTags(_ names: some Sequence<String>) throws {
    try add(names, to: \.tags, key: \.name) { tx, known in
      tx.objects(Tag.self).where { $0.name.in(known) }
    } make: { name in
      let tag = Tag()
      tag.name = name
      (tag.facet, tag.value) = Tag.parts(of: name)
      return tag
    }
  }

  /// Those with the keys that were not asked for before: the store's, and new ones for the others.
  private mutating func add<Element: Object>(
    _ keys: some Sequence<String>,
    to objects: WritableKeyPath<Self, [String: Element]>,
    key: KeyPath<Element, String>,
    find: (WriteTransaction, Set<String>) -> Results<Element>,
    make: (String) -> Element
  ) throws {
    var wanted = Set(keys).subtracting(self[keyPath: objects].keys)
    for object in try find(tx, wanted).all() {
      wanted.remove(object[keyPath: key])
      self[keyPath: objects][object[keyPath: key]] = object
    }
    let new = wanted.sorted().map(make)
    try tx.add(new, update: .error)
    for object in new { self[keyPath: objects][object[keyPath: key]] = object }
  }
}
