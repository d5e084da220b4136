import Fief
import Foundation
import Testing

/// A field operation links an object that does not exist.
@Suite("Links that field operations give")
struct OperandLinkTests {
  enum Link: CaseIterable {
    case one, list, set, any, frame, key, keys

    /// The type and the property that an error names.
    var place: (type: String, property: String) {
      switch self {
      case .one, .key: ("LinkingAlbum", "photo")
      case .list, .keys: ("LinkingAlbum", "photos")
      case .set: ("LinkingAlbum", "set")
      case .any: ("LinkingAlbum", "any")
      case .frame: ("LinkingFrame", "photo")
      }
    }

    func change(_ photo: LinkedPhoto) -> FieldChange<LinkingAlbum> {
      switch self {
      case .one: return .set(\.photo, photo)
      case .list: return .union(\.photos, [photo])
      case .set: return .set(\.set, MutableSet([photo]))
      case .any: return .set(\.any, .object(photo))
      case .frame:
        let frame = LinkingFrame()
        frame.photo = photo
        return .set(\.frame, frame)
      case .key: return .set(\.photo, toKey: photo.id)
      case .keys: return .field("photos", .union([.int(photo.id)]))
      }
    }
  }

  /// Returns a store with an album and a photo, and a photo that was deleted.
  private func filled(_ place: TypedPlace, isDeletedHere: Bool) throws -> (TypedStore, LinkedPhoto) {
    let store = try TypedStore(place, [LinkedPhoto.self, LinkingAlbum.self], embedded: [LinkingFrame.self])
    try store.put(LinkingAlbum(), LinkedPhoto(1), LinkedPhoto(2))
    let gone = try store.get(LinkedPhoto.self, 1)
    if isDeletedHere {
      try store.write { try $0.delete(gone) }
    } else {
      try store.deleteAndWait(ofType: LinkedPhoto.self, forPrimaryKeys: [1])
    }
    return (store, gone)
  }

  private func expect(_ error: FiefError?, _ link: Link) {
    #expect(error?.code == .objectNotFound && error?.store == "model" && error?.key == "0")
    #expect(error?.type == link.place.type && error?.property == link.place.property)
    let details = error?.showingValues().details.first
    #expect(details?.hasSuffix("object: LinkedPhoto 1") == true)
  }

  private func expectUnchanged(_ store: TypedStore) throws {
    #expect(store.store().objects(LinkedPhoto.self).map(\.id) == [2])
    #expect(try store.get(LinkingAlbum.self, 0).ids.allSatisfy(\.isEmpty))
    #expect(try store.check().problems == [])
  }

  /// Updates results on the write queue.
  private func update(_ results: Results<LinkingAlbum>, _ change: FieldChange<LinkingAlbum>) async -> (
    count: Int?, error: FiefError?
  ) {
    do { return (try await results.update(change), nil) } catch { return (nil, error as? FiefError) }
  }

  @Test(
    "to nothing fail with the store, the type, the property and the key",
    arguments: TypedPlace.allCases,
    Link.allCases
  )
  func errors(place: TypedPlace, link: Link) throws {
    for isDeletedHere in [true, false] {
      let (store, gone) = try filled(place, isDeletedHere: isDeletedHere)
      let albums = store.store().objects(LinkingAlbum.self)
      expect(
        try typedError {
          try store.write { try $0.update(LinkingAlbum.self, forPrimaryKey: 0, link.change(gone)) }
        },
        link
      )
      for merges in [true, false] {
        expect(
          try typedError {
            var batch = store.batch()
            if merges {
              try batch.merge(LinkingAlbum.self, forPrimaryKey: 0, link.change(gone))
            } else {
              try batch.update(LinkingAlbum.self, forPrimaryKey: 0, link.change(gone))
            }
            try batch.commitAndWait()
          },
          link
        )
      }
      expect(try typedError { _ = try albums.update(link.change(gone)) }, link)
      expect(
        try typedError {
          try store.write { _ = try $0.objects(LinkingAlbum.self).update(link.change(gone)) }
        },
        link
      )
      try expectUnchanged(store)
    }
  }

  @Test("change nothing and do not fail if no object matches", arguments: TypedPlace.allCases, Link.allCases)
  func noMatch(place: TypedPlace, link: Link) throws {
    for isDeletedHere in [true, false] {
      let (store, gone) = try filled(place, isDeletedHere: isDeletedHere)
      let none = store.store().objects(LinkingAlbum.self).where { $0.id == 5 }
      let count = try none.update(link.change(gone))
      #expect(count == 0)
      try store.write { transaction in
        let none = transaction.objects(LinkingAlbum.self).where { $0.id == 5 }
        let count = try none.update(link.change(gone))
        #expect(count == 0)
        // The write goes on.
        try transaction.objects(LinkedPhoto.self).update(.set(\.title, "written"))
      }
      #expect(try store.get(LinkedPhoto.self, 2).title == "written")
      try expectUnchanged(store)
    }
  }

  @Test("are handled on the write queue in the same way", arguments: TypedPlace.allCases, Link.allCases)
  func asynchronous(place: TypedPlace, link: Link) async throws {
    for isDeletedHere in [true, false] {
      let (store, gone) = try filled(place, isDeletedHere: isDeletedHere)
      let albums = store.store().objects(LinkingAlbum.self)
      expect(await update(albums, link.change(gone)).error, link)
      #expect(await update(albums.where { $0.id == 5 }, link.change(gone)).count == 0)
      try expectUnchanged(store)
    }
  }

  @Test("to new objects store them only if an object matches", arguments: TypedPlace.allCases)
  func newObjects(place: TypedPlace) throws {
    let (store, _) = try filled(place, isDeletedHere: false)
    let none = store.store().objects(LinkingAlbum.self).where { $0.id == 5 }
    var count = try none.update(.set(\.photo, LinkedPhoto(7)), .union(\.photos, [LinkedPhoto(8)]))
    #expect(count == 0)
    let inWrite = LinkedPhoto(9)
    try store.write { transaction in
      let none = transaction.objects(LinkingAlbum.self).where { $0.id == 5 }
      count = try none.update(.set(\.photo, inWrite))
      #expect(count == 0 && transaction.objects(LinkedPhoto.self).count == 1)
      // It is not the store's: assigning changes nothing there.
      inWrite.title = "unsaved"
    }
    try expectUnchanged(store)
    count = try store.store().objects(LinkingAlbum.self).update(.set(\.photo, LinkedPhoto(7)))
    #expect(count == 1)
    try store.write { count = try $0.objects(LinkingAlbum.self).update(.union(\.photos, [inWrite])) }
    #expect(count == 1)
    let album = try store.get(LinkingAlbum.self, 0)
    #expect(album.photo?.id == 7 && album.photos.map(\.title) == ["unsaved"])
  }

  @Test("mistakes in an operation are found even if no object matches", arguments: TypedPlace.allCases)
  func mistakes(place: TypedPlace) throws {
    let (store, _) = try filled(place, isDeletedHere: false)
    let none = store.store().objects(LinkingAlbum.self).where { $0.id == 5 }
    for change: FieldChange<LinkingAlbum> in [.field("nothing", 1), .field("words", 3), .set(\.id, 4)] {
      let error = try typedError { _ = try none.update(change) }
      #expect(error.type == "LinkingAlbum" && error.property != nil && error.code != .objectNotFound)
      let inWrite = try typedError {
        try store.write { _ = try $0.objects(LinkingAlbum.self).where { $0.id == 5 }.update(change) }
      }
      #expect(inWrite.code == error.code && inWrite.property == error.property)
    }
  }
}
