import Fief
import FiefTesting
import Foundation
import TestEffort
import Testing

/// A link that the application gives leads to an object that others deleted. The instance that is given was read before, is unchanged and
/// does not know of the deletion.
@Suite("Links to held objects that others deleted")
struct HeldDeletedLinkTests {
  enum Link: CaseIterable {
    case one, list, set, map, value, values, valueSet, valueMap, part, partList

    var place: (type: String, property: String) {
      switch self {
      case .one: ("LinkingAlbum", "photo")
      case .list: ("LinkingAlbum", "photos")
      case .set: ("LinkingAlbum", "set")
      case .map: ("LinkingAlbum", "map")
      case .value: ("LinkingAlbum", "any")
      case .values: ("LinkingAlbum", "anyList")
      case .valueSet: ("LinkingAlbum", "anySet")
      case .valueMap: ("LinkingAlbum", "anyMap")
      case .part: ("LinkingFrame", "photo")
      case .partList: ("LinkingFrame", "photos")
      }
    }

    func add(_ photo: LinkedPhoto, to album: LinkingAlbum) {
      switch self {
      case .one: album.photo = photo
      case .list: album.photos.append(photo)
      case .set: album.set.insert(photo)
      case .map: album.map["x"] = .some(photo)
      case .value: album.any = .object(photo)
      case .values: album.anyList.append(.list([.object(photo)]))
      case .valueSet: album.anySet.insert(.object(photo))
      case .valueMap: album.anyMap["x"] = .object(photo)
      case .part:
        album.frame = LinkingFrame()
        album.frame?.photo = photo
      case .partList:
        let frame = LinkingFrame()
        frame.photos.append(photo)
        album.frames.append(frame)
      }
    }
  }

  /// The number of links to the photo 1.
  private func links(_ album: LinkingAlbum) -> Int {
    album.ids.count { $0 == [1] }
      + album.anyList.count {
        if case .list(let values) = $0 { values.first?.object(LinkedPhoto.self)?.id == 1 } else { false }
      }
  }

  private func filled(_ place: TypedPlace) throws -> TypedStore {
    let store = try TypedStore(place, [LinkedPhoto.self, LinkingAlbum.self], embedded: [LinkingFrame.self])
    try store.put(LinkingAlbum(), LinkedPhoto(1), LinkedPhoto(2))
    return store
  }

  /// Another instance of the object that is deleted.
  private func held(_ store: TypedStore) throws -> LinkedPhoto {
    let photo = try store.get(LinkedPhoto.self, 1)
    try store.deleteAndWait(ofType: LinkedPhoto.self, forPrimaryKeys: [1])
    return photo
  }

  private func expectRefused(_ link: Link, _ store: TypedStore, _ body: () throws -> Void) throws {
    let error = #expect(throws: FiefError.self) { try body() }
    #expect(error?.code == .objectNotFound && error?.store == "model")
    #expect(error?.type == link.place.type && error?.property == link.place.property)
    #expect(error?.showingValues().details == ["the deleted object: LinkedPhoto 1"])
    #expect(store.store().objects(LinkedPhoto.self).map(\.id) == [2])
    #expect(try store.get(LinkingAlbum.self, 0).ids.allSatisfy(\.isEmpty))
  }

  @Test("are refused in a write", arguments: TestEffort.pairs(TypedPlace.allCases, Link.allCases))
  func inAWrite(place: TypedPlace, link: Link) throws {
    let store = try filled(place)
    let photo = try held(store)
    try expectRefused(link, store) {
      try store.write { link.add(photo, to: try #require($0.objects(LinkingAlbum.self).first)) }
    }
    // A query in the write does not swallow the failure.
    try expectRefused(link, store) {
      try store.write { transaction in
        link.add(photo, to: try #require(transaction.objects(LinkingAlbum.self).first))
        _ = try? transaction.objects(LinkedPhoto.self).fetchCount()
      }
    }
  }

  @Test(
    "are refused in a new object and in a copy",
    arguments: TestEffort.pairs(TypedPlace.allCases, Link.allCases)
  )
  func inASave(place: TypedPlace, link: Link) async throws {
    let store = try filled(place)
    let photo = try held(store)
    let (album, copy) = (LinkingAlbum(), try store.get(LinkingAlbum.self, 0))
    album.id = 7
    link.add(photo, to: album)
    link.add(photo, to: copy)
    for object in [album, copy] {
      try expectRefused(link, store) { try store.write { try $0.add(object, update: .all) } }
      try expectRefused(link, store) { try store.saveAndWait(entity: object, update: .modified) }
      let error = await #expect(throws: FiefError.self) { try await store.save(entity: object, update: .all) }
      #expect(error?.code == .objectNotFound && error?.property == link.place.property)
    }
    // Once the object was added again, it is linked.
    try store.saveAndWait(entities: [photo])
    try store.saveAndWait(entity: album, update: .all)
    #expect(links(try store.get(LinkingAlbum.self, 7)) == 1)
  }

  @Test(
    "are stored again if they are added in the same call, in any order",
    arguments: TypedPlace.allCases,
    Link.allCases
  )
  func addedTogether(place: TypedPlace, link: Link) throws {
    for isAlbumFirst in [true, false] {
      for isDeletedHere in [true, false] {
        let store = try filled(place)
        let photo = try isDeletedHere ? store.get(LinkedPhoto.self, 1) : held(store)
        if isDeletedHere { try store.write { try $0.delete(photo) } }
        let album = LinkingAlbum()
        album.id = 7
        link.add(photo, to: album)
        try store.write { try $0.add(isAlbumFirst ? [album, photo] : [photo, album]) }
        #expect(links(try store.get(LinkingAlbum.self, 7)) == 1)
        #expect(store.store().objects(LinkedPhoto.self).map(\.id) == [1, 2])
      }
    }
  }

  @Test(
    "are left out if they were only read with their object",
    arguments: TypedPlace.allCases,
    [true, false]
  )
  func readBefore(place: TypedPlace, isDeletedHere: Bool) throws {
    let store = try filled(place)
    try store.write { transaction in
      let album = try #require(transaction.objects(LinkingAlbum.self).first)
      for photo in transaction.objects(LinkedPhoto.self) {
        for link in Link.allCases { link.add(photo, to: album) }
      }
    }
    let copy = try store.get(LinkingAlbum.self, 0)
    let photo = try #require(copy.photo)
    let whole = copy.ids
    #expect(photo.id == 2 && whole.count { $0.contains(2) } > 8)
    if isDeletedHere {
      try store.write { try $0.delete(photo) }
    } else {
      try store.deleteAndWait(ofType: LinkedPhoto.self, forPrimaryKeys: [2])
    }
    // Only the names of the photos were given.
    copy.words.append("saved")
    try store.saveAndWait(entity: copy, update: .all)
    let saved = try store.get(LinkingAlbum.self, 0)
    #expect(saved.words == ["saved"] && saved.photo == nil && saved.any == AnyRealmValue.none)
    #expect(saved.ids == whole.map { $0.filter { $0 == 1 } })
    #expect(store.store().objects(LinkedPhoto.self).map(\.id) == [1])
  }

  @Test("in values are none if they were read, and refused if they are given", arguments: TypedPlace.allCases)
  func givenValues(place: TypedPlace) throws {
    let store = try filled(place)
    try store.write { transaction in
      let (album, photo) = (
        try #require(transaction.objects(LinkingAlbum.self).first),
        try #require(transaction.objects(LinkedPhoto.self).first)
      )
      album.anyList.append(.object(photo))
      album.anyMap["a"] = .object(photo)
      album.anySet.insert(.object(photo))
      try transaction.delete(photo)
      // The values were given before the deletion.
      album.anyList.append(.int(1))
      album.anyMap["b"] = .int(1)
      album.anySet.insert(.int(1))
    }
    let album = try store.get(LinkingAlbum.self, 0)
    #expect(Array(album.anyList) == [.none, .int(1)] && album.anyMap["a"] == AnyRealmValue.none)
    #expect(album.anySet.contains(.int(1)) && album.anySet.count == 2)
    // A list that is assigned as a whole is given.
    let gone = try store.get(LinkedPhoto.self, 2)
    try store.write { try $0.delete(gone) }
    album.anyList = List([.int(3), .object(gone)])
    let error = #expect(throws: FiefError.self) { try store.saveAndWait(entity: album, update: .all) }
    #expect(error?.code == .objectNotFound && error?.property == "anyList")
  }

  @Test("are refused in collections that are not in their object's record", arguments: TypedPlace.allCases)
  func inLargeCollections(place: TypedPlace) throws {
    let store = try filled(place)
    let photos = (10..<1_300).map { LinkedPhoto($0) }
    try store.write { transaction in
      let album = try #require(transaction.objects(LinkingAlbum.self).first)
      album.photos.append(objectsIn: photos)
      album.set.insert(objectsIn: photos)
      for photo in photos {
        album.map["\(photo.id)"] = .some(photo)
        album.anyList.append(.object(photo))
        album.anySet.insert(.object(photo))
        album.anyMap["\(photo.id)"] = .object(photo)
      }
    }
    let (photo, deleted) = (try held(store), try store.get(LinkedPhoto.self, 2))
    try store.write { try $0.delete(deleted) }
    for link in [Link.list, .set, .map, .values, .valueSet, .valueMap] {
      for photo in [photo, deleted] {
        let error = #expect(throws: FiefError.self) {
          try store.write { link.add(photo, to: try #require($0.objects(LinkingAlbum.self).first)) }
        }
        #expect(error?.code == .objectNotFound && error?.property == link.place.property)
        #expect(error?.type == "LinkingAlbum")
      }
    }
    let album = try store.get(LinkingAlbum.self, 0)
    for count in [
      album.photos.count, album.set.count, album.map.count, album.anyList.count, album.anySet.count,
    ] {
      #expect(count == 1_290)
    }
  }

  @Test("are refused in a part that a field operation assigns", arguments: TypedPlace.allCases)
  func inAnOperand(place: TypedPlace) throws {
    let store = try filled(place)
    let frame = LinkingFrame()
    frame.photo = try held(store)
    let error = #expect(throws: FiefError.self) {
      try store.write { try $0.update(LinkingAlbum.self, forPrimaryKey: 0, .set(\.frame, frame)) }
    }
    #expect(error?.code == .objectNotFound && error?.property == "photo")
    #expect(try store.get(LinkingAlbum.self, 0).frame == nil)
  }

  @Test(
    "are stored again with a changed object of the same call, in any order",
    arguments: TypedPlace.allCases
  )
  func changedAndAddedTogether(place: TypedPlace) throws {
    for isAlbumFirst in [true, false] {
      let store = try filled(place)
      let photo = try held(store)
      photo.title = "changed"
      let album = LinkingAlbum()
      album.id = 7
      album.photo = photo
      try store.write { try $0.add(isAlbumFirst ? [album, photo] : [photo, album]) }
      #expect(try store.get(LinkingAlbum.self, 7).photo?.title == "changed")
    }
  }

  @Test("a frozen object can be created again after its deletion", arguments: TypedPlace.allCases)
  func createdFromAFrozenObject(place: TypedPlace) throws {
    let store = try filled(place)
    let old = try store.get(LinkedPhoto.self, 1).freeze()
    try store.deleteAndWait(ofType: LinkedPhoto.self, forPrimaryKeys: [1])
    try store.write { _ = try $0.create(LinkedPhoto.self, value: old) }
    #expect(store.store().objects(LinkedPhoto.self).map(\.id) == [1, 2])
  }

  @Test("are stored again with the option that adds deleted objects again", arguments: StoreKind.allCases)
  func withTheOption(kind: StoreKind) throws {
    var options = StoreOptions()
    options.reinsertsDeletedObjects = true
    let fixture = try StoreFixture(
      TestRepository(
        "albums",
        version: 1,
        objectTypes: [LinkedPhoto.self, LinkingAlbum.self],
        options: options
      ),
      kind
    )
    try fixture.write { try $0.add([LinkedPhoto(1), LinkedPhoto(2)]) }
    let photo = try #require(try fixture.store().fetchObject(ofType: LinkedPhoto.self, forPrimaryKey: 1))
    try fixture.write { try $0.delete(ofType: LinkedPhoto.self, forPrimaryKeys: [1]) }
    let album = LinkingAlbum()
    album.photo = photo
    try fixture.write { try $0.add(album) }
    #expect(fixture.store().objects(LinkedPhoto.self).map(\.id) == [1, 2])
    #expect(fixture.store().objects(LinkingAlbum.self).first?.photo?.id == 1)
  }
}
