import FiefRealm
import Foundation

protocol CascadingDeletable {
  static var propertiesToCascadeDelete: [String] { get }
}

class Album: Object, CascadingDeletable {
  @Persisted var cover: Photo?
  @Persisted var photos: List<Photo>
  static var propertiesToCascadeDelete: [String] { ["photos", "cover"] }
}

class Photo: Object {
  @Persisted var path = ""
}

extension Realm {
  func cascadeDelete(_ object: Object) {
    if let deletable = object as? CascadingDeletable {
      for name in type(of: deletable).propertiesToCascadeDelete {
        if let linked = object.value(forKey: name) as? Object { delete(linked) }
        if let list = object.value(forKey: name) as? List<Photo> { delete(list) }
      }
    }
    delete(object)
  }
}
