import Fief
import Foundation
import TestEffort
import Testing

/// A link that `init(value:)` copied from a held object counts as read. A link that the application assigned to the copy counts as given.
@Suite("Links of copies that init(value:) makes")
struct CopiedLinkTests {
  typealias Link = HeldDeletedLinkTests.Link

  enum Deletion: CaseIterable {
    case beforeTheCopy, afterTheCopy, ofTheLinkedInstance
  }

  /// The album links the photos 1 and 2 in every way. The photo 3 has no links.
  private func filled(_ place: TypedPlace) throws -> TypedStore {
    let store = try TypedStore(place, [LinkedPhoto.self, LinkingAlbum.self], embedded: [LinkingFrame.self])
    try store.put(LinkingAlbum(), LinkedPhoto(1), LinkedPhoto(2), LinkedPhoto(3))
    try store.write { transaction in
      let album = try #require(transaction.objects(LinkingAlbum.self).first)
      for photo in transaction.objects(LinkedPhoto.self).where({ $0.id < 3 }) {
        for link in Link.allCases { link.add(photo, to: album) }
        album.anyArray.append(.object(photo))
      }
    }
    return store
  }

  private func delete(_ key: Int, in store: TypedStore) throws {
    try store.deleteAndWait(ofType: LinkedPhoto.self, forPrimaryKeys: [key])
  }

  private func save(_ album: LinkingAlbum, in store: TypedStore, _ way: Int) throws {
    switch way {
    case 0: try store.write { try $0.add(album) }
    case 1: try store.saveAndWait(entity: album, update: .all)
    default: try store.saveAndWait(entity: album, update: .modified)
    }
  }

  @Test("are nil if their object was deleted", arguments: TypedPlace.allCases, Deletion.allCases)
  func deleted(place: TypedPlace, deletion: Deletion) throws {
    for way in 0..<3 {
      let store = try filled(place)
      let held = try store.get(LinkingAlbum.self, 0)
      let whole = held.ids
      let photo = try #require(held.photo)
      #expect(photo.id == 2 && whole.count { $0.contains(2) } > 8)
      if deletion == .beforeTheCopy { try delete(2, in: store) }
      let copy = way == 0 ? try LinkingAlbum(validating: held) : LinkingAlbum(value: held)
      copy.id = 7
      switch deletion {
      case .beforeTheCopy: break
      case .afterTheCopy: try delete(2, in: store)
      case .ofTheLinkedInstance: try store.write { try $0.delete(photo) }
      }
      try save(copy, in: store, way)
      let saved = try store.get(LinkingAlbum.self, 7)
      #expect(saved.ids == whole.map { $0.filter { $0 == 1 } })
      #expect(saved.photo == nil && saved.any == AnyRealmValue.none && saved.photos.count == 1)
      #expect(store.store().objects(LinkedPhoto.self).map(\.id) == [1, 3])
      // The copy of a copy has the same links.
      let second = LinkingAlbum(value: LinkingAlbum(value: held))
      second.id = 8
      try save(second, in: store, way)
      #expect(try store.get(LinkingAlbum.self, 8).ids == saved.ids)
    }
  }

  @Test("are nil after an asynchronous save too", arguments: TypedPlace.allCases)
  func asynchronous(place: TypedPlace) async throws {
    let store = try filled(place)
    let held = try store.get(LinkingAlbum.self, 0)
    let whole = held.ids
    let copy = LinkingAlbum(value: held)
    copy.id = 7
    try delete(2, in: store)
    _ = try await store.save(entity: copy, update: true)
    #expect(try store.get(LinkingAlbum.self, 7).ids == whole.map { $0.filter { $0 == 1 } })
  }

  @Test(
    "fail the save if the application assigned them",
    arguments: TestEffort.pairs(TypedPlace.allCases, Link.allCases)
  )
  func given(place: TypedPlace, link: Link) throws {
    let store = try filled(place)
    let held = try store.get(LinkingAlbum.self, 0)
    let before = held.ids
    let photo = try store.get(LinkedPhoto.self, 3)
    try delete(2, in: store)
    try delete(3, in: store)
    for way in 0..<3 {
      let copy = LinkingAlbum(value: held)
      copy.id = 7
      link.add(photo, to: copy)
      let error = #expect(throws: FiefError.self) { try save(copy, in: store, way) }
      #expect(error?.code == .objectNotFound && error?.store == "model" && error?.key == "7")
      #expect(error?.type == link.place.type && error?.property == link.place.property)
      #expect(error?.showingValues().details == ["the deleted object: LinkedPhoto 3"])
    }
    #expect(store.store().objects(LinkedPhoto.self).map(\.id) == [1])
    #expect(store.store().objects(LinkingAlbum.self).map(\.id) == [0])
    #expect(held.ids == before)
  }

  // A set contains each element once, so a second insertion assigns nothing.
  @Test(
    "fail the save if the application assigned the read object again",
    arguments: TypedPlace.allCases,
    [Link.one, .list, .map, .value, .values, .valueMap]
  )
  func assignedAgain(place: TypedPlace, link: Link) throws {
    for isDeletedFirst in [true, false] {
      let store = try filled(place)
      let held = try store.get(LinkingAlbum.self, 0)
      _ = held.ids
      let photo = try #require(held.photo)
      if isDeletedFirst { try delete(2, in: store) }
      let copy = LinkingAlbum(value: held)
      copy.id = 7
      link.add(photo, to: copy)
      if !isDeletedFirst { try delete(2, in: store) }
      let error = try typedError { try store.saveAndWait(entity: copy, update: .all) }
      #expect(error.code == .objectNotFound && error.type == "LinkingAlbum")
      #expect(error.showingValues().details == ["the deleted object: LinkedPhoto 2"])
      #expect(store.store().objects(LinkingAlbum.self).map(\.id) == [0])
    }
  }

  @Test(
    "a copied collection keeps which of its links were read and which were assigned",
    arguments: TypedPlace.allCases,
    [Link.list, .set, .map, .valueSet, .valueMap, .values]
  )
  func changedBefore(place: TypedPlace, link: Link) throws {
    for isGivenDeleted in [true, false] {
      let store = try filled(place)
      let held = try store.get(LinkingAlbum.self, 0)
      _ = held.ids
      link.add(try store.get(LinkedPhoto.self, 3), to: held)
      try delete(2, in: store)
      if isGivenDeleted { try delete(3, in: store) }
      let copy = LinkingAlbum(value: held)
      copy.id = 7
      let creating = { try store.write { _ = try $0.create(LinkingAlbum.self, value: held, update: .all) } }
      if isGivenDeleted {
        for error in [
          try typedError { try store.saveAndWait(entity: copy, update: .all) }, try typedError(creating),
        ] {
          #expect(error.code == .objectNotFound && error.property == link.place.property)
          #expect(error.showingValues().details == ["the deleted object: LinkedPhoto 3"])
        }
        continue
      }
      try store.saveAndWait(entity: copy, update: .all)
      try creating()
      for key in [0, 7] {
        let saved = try store.get(LinkingAlbum.self, key)
        let nested = saved.anyList.compactMap { value -> Int? in
          if case .list(let values) = value { values.first?.object(LinkedPhoto.self)?.id } else { nil }
        }
        #expect(nested == (link == .values ? [1, 3] : [1]))
        #expect(saved.ids.count { $0.contains(3) } == (link == .values ? 0 : 1))
        #expect(!saved.ids.contains { $0.contains(2) })
      }
      #expect(store.store().objects(LinkedPhoto.self).map(\.id) == [1, 3])
    }
  }

  @Test("a copy of an embedded object keeps which of its links were read", arguments: TypedPlace.allCases)
  func embedded(place: TypedPlace) throws {
    let store = try filled(place)
    let frame = try #require(try store.get(LinkingAlbum.self, 0).frame)
    let photo = try store.get(LinkedPhoto.self, 3)
    #expect(frame.photo?.id == 2)
    let copies = [LinkingFrame(value: frame), LinkingFrame(value: frame)]
    try delete(2, in: store)
    try delete(3, in: store)
    let album = LinkingAlbum()
    album.id = 7
    album.frame = copies[0]
    try store.saveAndWait(entity: album)
    #expect(try #require(store.get(LinkingAlbum.self, 7).frame).photo == nil)
    copies[1].photo = photo
    let other = LinkingAlbum()
    other.id = 8
    other.frame = copies[1]
    #expect(try typedError { try store.saveAndWait(entity: other) }.code == .objectNotFound)
  }

  @Test("detached arrays, sets and dictionaries of values have objects without a store")
  func detachedValues() throws {
    let (store, other) = (try filled(.memory), try filled(.memory))
    let detached = try store.get(LinkingAlbum.self, 0).detached()
    detached.id = 7
    detached.anyArray[0].object(LinkedPhoto.self)?.id = 11
    // Objects of the first store would be refused.
    try other.saveAndWait(entity: detached, update: .all)
    let ids = try other.get(LinkingAlbum.self, 7).anyArray.map { $0.object(LinkedPhoto.self)?.id }
    #expect(ids == [11, 2])
  }
}
