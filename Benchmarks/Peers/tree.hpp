// The data of the rows about trees, and what a peer can do with it. 1,000 pages of 250 messages of 4 leaves are 250 rooms of
// 1,000 messages: messages/PAGE/MESSAGE/LEAF. A second store has one node with as many children as the first has leaves: wide/KEY.
#pragma once
#include "system.hpp"

struct Message { std::string key; int64_t at = 0, likes = 0; std::string from, text; };
static const char TREE_ALPHABET[] = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";

// A name of 20 characters: the time in milliseconds, then random ones.
static inline std::string tree_key(int64_t ms, Rng& r) {
    std::string s(20, '-');
    for (int i = 7; i >= 0; i--) { s[i] = TREE_ALPHABET[ms & 63]; ms >>= 6; }
    uint64_t v = r.next(); for (int i = 8; i < 18; i++) { s[i] = TREE_ALPHABET[v & 63]; v >>= 6; }
    v = r.next(); for (int i = 18; i < 20; i++) { s[i] = TREE_ALPHABET[v & 63]; v >>= 6; }
    return s;
}
static inline void gen_message(int64_t i, Message& m) {
    Rng r(mix64(SEED ^ 0x7EEE ^ ((uint64_t)(i + 1) * 0xD1B54A32D192ED03ULL)));
    m.at = 1700000000000LL + i * 1000; m.key = tree_key(m.at, r);
    m.likes = (int64_t)(r.next() % 1000); m.from = "user" + std::to_string(10 + r.next() % 90);
    int n = 20 + (int)(r.next() % 41); m.text.resize(n);
    for (int k = 0; k < n;) { uint64_t v = r.next(); for (int j = 0; j < 10 && k < n; j++, k++) { unsigned c = v % 30; v /= 30; m.text[k] = c < 26 ? 'a' + c : ' '; } }
}
static inline std::string gen_wide(int64_t i) { Rng r(mix64(SEED ^ 0x31DE ^ ((uint64_t)(i + 1) * 0xA24BAED4963EE407ULL))); return tree_key(1700000000000LL + i, r); }

// Digests of a leaf: a cheap one of what a reader touches, and one of every byte.
static inline uint64_t leaf_digest(std::string_view key, std::string_view name, int64_t v) { return (uint8_t)key.back() * 1009ULL + (uint8_t)name.front() * 31ULL + name.size() + (uint64_t)v * 7; }
static inline uint64_t leaf_digest(std::string_view key, std::string_view name, std::string_view v) { return (uint8_t)key.back() * 1009ULL + (uint8_t)name.front() * 31ULL + name.size() + v.size() * 13 + (uint8_t)v.back() * 4001ULL; }
struct LeafHash {
    uint64_t h = 1469598103934665603ULL;
    LeafHash& add(std::string_view s) { for (unsigned char c : s) { h ^= c; h *= 1099511628211ULL; } h ^= 0xff; h *= 1099511628211ULL; return *this; }
    uint64_t of(int64_t v) { char b[8]; memcpy(b, &v, 8); add({ b, 8 }); return mix64(h); }
    uint64_t of(std::string_view v) { add(v); return mix64(h); }
};
template <class V> static inline uint64_t leaf_hash(std::string_view page, std::string_view key, std::string_view name, V v) { return LeafHash().add(page).add(key).add(name).of(v); }

// The JSON text of all messages, as an export of `messages` has it. It is written into a file, or only its digest is computed.
struct MessagesText {
    int fd = -1; uint64_t hash = 1469598103934665603ULL; std::string path, page, key, buffer;
    MessagesText() {}
    explicit MessagesText(const std::string& p) : path(p) { fd = ::open((path + ".new").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600); REQUIRE(fd >= 0); }
    void text(std::string_view s) {
        buffer += '"';
        for (unsigned char c : s) { if (c == '"' || c == '\\') { buffer += '\\'; buffer += (char)c; } else { REQUIRE(c >= 0x20); buffer += (char)c; } }
        buffer += '"';
    }
    void value(int64_t v) { char b[24]; buffer.append(b, (size_t)snprintf(b, sizeof b, "%lld", (long long)v)); }
    void value(std::string_view v) { text(v); }
    template <class V> void leaf(std::string_view p, std::string_view k, std::string_view l, V v) {
        if (p != page) { buffer += page.empty() ? "{" : "}},"; page = p; key.clear(); text(p); buffer += ":{"; }
        if (k != key) { if (!key.empty()) buffer += "},"; key = k; text(k); buffer += ":{"; } else buffer += ',';
        text(l); buffer += ':'; value(v); if (buffer.size() >= 256 << 10) flush();
    }
    void flush() {
        if (fd >= 0) REQUIRE(write(fd, buffer.data(), buffer.size()) == (ssize_t)buffer.size());
        else for (unsigned char c : buffer) { hash ^= c; hash *= 1099511628211ULL; }
        buffer.clear();
    }
    // The file has its name when it is on the disk.
    void end() { buffer += "}}}\n"; flush(); if (fd >= 0) { REQUIRE(fsync(fd) == 0); ::close(fd); REQUIRE(rename((path + ".new").c_str(), path.c_str()) == 0); } }
    static uint64_t ofFile(const std::string& path) {
        uint64_t h = 1469598103934665603ULL; std::vector<unsigned char> b(1 << 20); int fd = ::open(path.c_str(), O_RDONLY); REQUIRE(fd >= 0); ssize_t n;
        while ((n = read(fd, b.data(), b.size())) > 0) for (ssize_t i = 0; i < n; i++) { h ^= b[i]; h *= 1099511628211ULL; }
        ::close(fd); return h;
    }
};

// The place of a message that is changed.
struct Pick { std::string page, key; };

struct TreeWorkload {
    int64_t pages, wide;
    std::vector<int64_t> pickedMessages; std::vector<Pick> picks; // changed
    std::vector<std::string> wideKeys;                            // read
    uint64_t full = 0, wideSum = 0, names = 0;
    explicit TreeWorkload(int64_t N) : pages(N >= 100000 ? 1000 : std::max<int64_t>(1, std::min<int64_t>(100, N / 100))), wide(pages * 1000) {
        Message m; for (int64_t i = 0; i < messages(); i++) { gen_message(i, m); full += hash(m, i); }
        Rng r(777); std::vector<int64_t> o(messages()); for (int64_t i = 0; i < messages(); i++) o[i] = i;
        int64_t n = std::min<int64_t>(1000, messages()); for (int64_t i = 0; i < n; i++) std::swap(o[i], o[i + (int64_t)(r.next() % (uint64_t)(messages() - i))]);
        pickedMessages.assign(o.begin(), o.begin() + n);
        for (auto i : pickedMessages) { gen_message(i, m); picks.push_back({ page(i / 250), m.key }); }
        for (int k = 0; k < 20000; k++) { auto i = (int64_t)(r.next() % (uint64_t)wide); wideKeys.push_back(gen_wide(i)); wideSum += (uint64_t)i * 3; }
        for (int64_t p = 0; p < pages; p++) { auto s = page(p); names = ordered(names, (uint8_t)s[s.size() - 1] * 31ULL + (uint8_t)s[2] + s.size()); }
    }
    void print() const { printf("tree %llu %llu %llu\n", (unsigned long long)full, (unsigned long long)wideSum, (unsigned long long)names); }
    int64_t messages() const { return pages * 250; }
    static std::string page(int64_t p) { char b[32]; snprintf(b, sizeof b, "r%03d-%d", (int)(p / 4), (int)(p % 4)); return b; }
    static uint64_t hash(const Message& m, int64_t i) {
        auto p = page(i / 250); return leaf_hash(p, m.key, "at", m.at) + leaf_hash(p, m.key, "from", std::string_view(m.from)) + leaf_hash(p, m.key, "likes", m.likes) + leaf_hash(p, m.key, "text", std::string_view(m.text));
    }
    // What a reader of a page finds.
    static uint64_t pageDigest(int64_t p) {
        uint64_t s = 0; Message m;
        for (int64_t i = p * 250; i < p * 250 + 250; i++) { gen_message(i, m); s += leaf_digest(m.key, "at", m.at) + leaf_digest(m.key, "from", std::string_view(m.from)) + leaf_digest(m.key, "likes", m.likes) + leaf_digest(m.key, "text", std::string_view(m.text)); }
        return s;
    }
    std::vector<Message> all() const { std::vector<Message> v(messages()); for (int64_t i = 0; i < messages(); i++) gen_message(i, v[i]); return v; }
    // The digest of the text of all messages.
    uint64_t textHash() const {
        MessagesText t; Message m;
        for (int64_t i = 0; i < messages(); i++) { gen_message(i, m); auto p = page(i / 250); t.leaf(p, m.key, "at", m.at); t.leaf(p, m.key, "from", std::string_view(m.from)); t.leaf(p, m.key, "likes", m.likes); t.leaf(p, m.key, "text", std::string_view(m.text)); }
        t.end(); return t.hash;
    }
    // What a reader of the last children by value finds.
    uint64_t lastWide(int64_t count) const {
        uint64_t s = 0; for (int64_t i = wide - count; i < wide; i++) s = addWide(s, gen_wide(i), i * 3); return s;
    }
    static uint64_t addWide(uint64_t s, std::string_view key, int64_t v) { return ordered(s, (uint8_t)key.back() * 31ULL + (uint64_t)v); }
    static int64_t newLikes(int64_t n) { return 1000000 + n; }
    // The digest of the tree after the first picked messages got other likes.
    uint64_t fullAfter(size_t count) const {
        uint64_t f = full; Message m;
        for (size_t n = 0; n < count; n++) { int64_t i = pickedMessages[n]; gen_message(i, m); f -= hash(m, i); m.likes = newLikes((int64_t)n); f += hash(m, i); }
        return f;
    }
};

// A store of one of the trees. Changes are durable when they return.
struct TreeStore {
    virtual ~TreeStore() {}
    virtual void open(const std::string& dir, bool create) = 0;
    virtual void close() = 0;
    virtual void loadPages(int64_t from, int64_t to) = 0;  // one commit
    virtual void loadWide(int64_t from, int64_t to) = 0;   // one commit
    virtual void setLikes(const Pick* picks, size_t count, int64_t first) = 0; // one commit; newLikes(first), …
    virtual uint64_t readPage(const std::string&) { return 0; }
    virtual uint64_t readWide(const std::vector<std::string>&) { return 0; }
    virtual uint64_t pageNames() { return 0; }
    virtual bool importAll(const std::vector<Message>&) { return false; } // one commit of all messages, in the order of their keys
    virtual void exportAll(MessagesText&) {}
    virtual uint64_t readLast(int64_t) { return 0; }       // the last children of the wide node by their values
    virtual uint64_t full() = 0;                           // the digest of every byte of every leaf
};
// A store of a kind ("tree", "wide", "ranked" with an index of the wide node's values, "json" with a JSON text for each page);
// none if the peer does not have it.
std::unique_ptr<TreeStore> make_tree(const std::string& kind);
