import Fief
import Foundation
import Testing

/// A link does not store a deleted object again.
@Suite("Links to deleted objects")
struct LinkToDeletedTests {
  enum Link: CaseIterable {
    case one, list, set, map, value

    var property: String {
      switch self {
      case .one: "photo"
      case .list: "photos"
      case .set: "set"
      case .map: "map"
      case .value: "any"
      }
    }

    func add(_ photo: LinkedPhoto, to album: LinkingAlbum) {
      switch self {
      case .one: album.photo = photo
      case .list: album.photos.append(photo)
      case .set: album.set.insert(photo)
      case .map: album.map["x"] = .some(photo)
      case .value: album.any = .object(photo)
      }
    }
  }

  private func filled(_ place: TypedPlace) throws -> TypedStore {
    let store = try TypedStore(place, [LinkedPhoto.self, LinkingAlbum.self], embedded: [LinkingFrame.self])
    try store.put(LinkingAlbum(), LinkedPhoto(1), LinkedPhoto(2))
    return store
  }

  private func deleted(_ store: TypedStore) throws -> LinkedPhoto {
    var found: LinkedPhoto?
    try store.write { transaction in
      let photo = try #require(try transaction.object(ofType: LinkedPhoto.self, forPrimaryKey: 1))
      try transaction.delete(photo)
      found = photo
    }
    return try #require(found)
  }

  private func expectRefused(_ link: Link, _ store: TypedStore, _ body: () throws -> Void) throws {
    let error = #expect(throws: FiefError.self) { try body() }
    #expect(
      error?.code == .objectNotFound && error?.type == "LinkingAlbum" && error?.property == link.property
    )
    #expect(
      error?.showingValues().details == ["the deleted object: LinkedPhoto 1"] && error?.store == "model"
    )
    #expect(store.store().objects(LinkedPhoto.self).map(\.id) == [2])
    #expect(try store.get(LinkingAlbum.self, 0).ids.allSatisfy(\.isEmpty))
  }

  @Test("are refused in a write", arguments: TypedPlace.allCases, Link.allCases)
  func inAWrite(place: TypedPlace, link: Link) throws {
    let store = try filled(place)
    let photo = try deleted(store)
    try expectRefused(link, store) {
      try store.write { link.add(photo, to: try #require($0.objects(LinkingAlbum.self).first)) }
    }
    // The whole of a write that deletes the object itself, too.
    let error = #expect(throws: FiefError.self) {
      try store.write { transaction in
        let second = try #require(try transaction.object(ofType: LinkedPhoto.self, forPrimaryKey: 2))
        try transaction.delete(second)
        link.add(second, to: try #require(transaction.objects(LinkingAlbum.self).first))
      }
    }
    #expect(
      error?.code == .objectNotFound
        && error?.showingValues().details == ["the deleted object: LinkedPhoto 2"]
    )
    #expect(store.store().objects(LinkedPhoto.self).count == 1)
  }

  @Test("are refused in a new object", arguments: TypedPlace.allCases, Link.allCases)
  func inANewObject(place: TypedPlace, link: Link) throws {
    let store = try filled(place)
    let photo = try deleted(store)
    let album = LinkingAlbum()
    album.id = 7
    link.add(photo, to: album)
    for policy in [UpdatePolicy.error, .modified, .all] {
      try expectRefused(link, store) { try store.write { try $0.add(album, update: policy) } }
      try expectRefused(link, store) { try store.saveAndWait(entity: album, update: policy) }
    }
    // Once the object was added again, it is linked.
    try store.write { transaction in
      try transaction.add(photo)
      try transaction.add(album)
    }
    #expect(try store.get(LinkingAlbum.self, 7).ids.filter { $0 == [1] }.count == 1)
  }

  @Test(
    "are refused if the object was changed here and deleted by others",
    arguments: TypedPlace.allCases,
    Link.allCases
  )
  func changedMeanwhile(place: TypedPlace, link: Link) throws {
    let store = try filled(place)
    let photo = try store.get(LinkedPhoto.self, 1)
    photo.title = "changed"
    try store.deleteAndWait(ofType: LinkedPhoto.self, forPrimaryKeys: [1])
    let album = try store.get(LinkingAlbum.self, 0)
    link.add(photo, to: album)
    try expectRefused(link, store) { try store.saveAndWait(entity: album, update: .all) }
    try expectRefused(link, store) { try store.write { try $0.add(album, update: .all) } }
  }

  @Test("are refused in a collection that is not in its object's record", arguments: TypedPlace.allCases)
  func inALargeList(place: TypedPlace) throws {
    let store = try filled(place)
    try store.write { transaction in
      let album = try #require(transaction.objects(LinkingAlbum.self).first)
      album.photos.append(objectsIn: (10..<1_300).map { LinkedPhoto($0) })
    }
    let photo = try deleted(store)
    let error = #expect(throws: FiefError.self) {
      try store.write { try #require($0.objects(LinkingAlbum.self).first).photos.append(photo) }
    }
    #expect(error?.code == .objectNotFound && error?.type == "LinkingAlbum" && error?.property == "photos")
    #expect(try store.get(LinkingAlbum.self, 0).photos.count == 1_290)
  }

  @Test("come back with an object that is added again", arguments: TypedPlace.allCases)
  func withTheirOwner(place: TypedPlace) throws {
    let store = try filled(place)
    try store.write { transaction in
      let album = try #require(transaction.objects(LinkingAlbum.self).first)
      album.photos.append(objectsIn: transaction.objects(LinkedPhoto.self))
    }
    let album = try store.get(LinkingAlbum.self, 0)
    #expect(album.photos.map(\.id) == [1, 2])
    try store.write { transaction in
      let photos = Array(album.photos)
      try transaction.delete(album)
      for photo in photos { try transaction.delete(photo) }
    }
    #expect(store.store().objects(LinkedPhoto.self).isEmpty)
    try store.write { try $0.add(album) }
    #expect(try store.get(LinkingAlbum.self, 0).photos.map(\.id) == [1, 2])
    #expect(store.store().objects(LinkedPhoto.self).count == 2)
  }
}
