import FiefRealm
import Foundation

class Feed: Object, Decodable {
  @Persisted(primaryKey: true) var id: String
  @Persisted var title: String
  @Persisted var posts = List<Post>()

  enum CodingKeys: String, CodingKey { case id, title, posts }

  required convenience init(from decoder: Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    title = try container.decodeIfPresent(String.self, forKey: .title) ?? ""
    posts.append(objectsIn: try container.decode([Post].self, forKey: .posts))
  }
}

class Post: Object, Decodable {
  @Persisted var text: String
}
