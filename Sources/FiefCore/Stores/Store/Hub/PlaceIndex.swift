/// The observations of places, as a tree of names. A commit visits only the observations at, above and below
/// the places that it has written.
struct PlaceIndex {
  typealias ID = ObservationMachine.ID

  private var own: Set<ID> = []
  private var children: [ExactText: PlaceIndex] = [:]

  private var isEmpty: Bool { own.isEmpty && children.isEmpty }

  mutating func insert(_ id: ID, _ place: ArraySlice<ExactText>) {
    guard let name = place.first else { return _ = own.insert(id) }
    children[name, default: PlaceIndex()].insert(id, place.dropFirst())
  }

  mutating func remove(_ id: ID, _ place: ArraySlice<ExactText>) {
    guard let name = place.first else { return _ = own.remove(id) }
    children[name]?.remove(id, place.dropFirst())
    if children[name]?.isEmpty == true { children[name] = nil }
  }

  /// Returns the observations of exactly a place.
  func observations(at place: ArraySlice<ExactText>) -> Set<ID> {
    guard let name = place.first else { return own }
    return children[name]?.observations(at: place.dropFirst()) ?? []
  }

  /// Adds the observations that a write of a place concerns.
  func collect(concernedBy place: ArraySlice<ExactText>, into concerned: inout Set<ID>) {
    concerned.formUnion(own)
    guard let name = place.first else { return children.values.forEach { $0.collectAll(into: &concerned) } }
    children[name]?.collect(concernedBy: place.dropFirst(), into: &concerned)
  }

  private func collectAll(into concerned: inout Set<ID>) {
    concerned.formUnion(own)
    for child in children.values { child.collectAll(into: &concerned) }
  }
}
