import FiefCore

/// The sizes of a store at one moment.
public struct DynamicStatistics: Sendable, Hashable {
  /// One tree of the store: the records of a type, an index, the backlinks of a link, or the catalogue.
  public struct Tree: Sendable, Hashable {
    /// The purpose of a tree.
    public enum Purpose: String, Sendable, CaseIterable {
      /// The objects of a type.
      case records
      /// The index of a property.
      case index
      /// The backlinks of a property with links.
      case backlinks
      /// The elements of large lists, sets and maps.
      case collections
      /// The store's schema and the numbers it gives out.
      case catalogue
    }

    /// The purpose of the tree.
    public let purpose: Purpose
    /// The type that it belongs to; nil for the catalogue.
    public let typeName: String?
    /// The property that it belongs to; nil for records and the catalogue.
    public let property: String?
    /// The number of entries.
    public let entries: Int
    /// The number of levels.
    public let depth: Int
    /// The number of inner pages.
    public let branchPages: Int
    /// The number of pages with entries.
    public let leafPages: Int
    /// The number of pages of values that are too long for a leaf page.
    public let overflowPages: Int
    /// The bytes of all its pages.
    public let bytes: Int
    /// The used part of the leaf pages, from 0 to 1; nil where it was not measured or there are none.
    public let fill: Double?
  }

  /// The size of the data file in bytes.
  public let fileSize: Int
  /// The size of the map in bytes: how far the file can grow before the map moves.
  public let mapSize: Int
  /// The size of a page in bytes.
  public let pageSize: Int
  /// The number of pages that were ever in use.
  public let pages: Int
  /// The number of pages that later commits use again.
  public let freePages: Int
  /// The number of the newest commit.
  public let lastTransaction: UInt64
  /// The number of slots for readers, over all processes; 0 where the store is read without a lock table.
  public let readerSlots: Int
  /// The greatest number of them that were ever taken at a time.
  public let usedReaderSlots: Int
  /// The number of commits that the oldest reader of any process is behind; 0 without readers.
  public let oldestReaderLag: Int
  /// The readers of all processes, the oldest state first, without the one that has looked.
  public let readers: [StoreReader]
  /// The trees by type, purpose and property; that of the catalogue last.
  public let trees: [Tree]
}
