// Trees in raw LMDB: the keys and the values of Fief, without records around the values and without checksums.
#pragma once
#include "tree_rows.hpp"
#include <lmdb.h>
#define TCK(e) do { int rc_ = (e); if (rc_) DIE("%s: %s", #e, mdb_strerror(rc_)); } while (0)

struct LmdbTree : TreeStore {
    MDB_env* env = nullptr; MDB_dbi nodes = 0; MDB_txn* ro = nullptr; uint8_t key[512]; size_t length = 0;
    void open(const std::string& dir, bool create) override {
        TCK(mdb_env_create(&env)); TCK(mdb_env_set_maxdbs(env, 64)); TCK(mdb_env_set_mapsize(env, (size_t)16 << 30)); TCK(mdb_env_open(env, dir.c_str(), MDB_NOTLS, 0644));
        MDB_txn* t; TCK(mdb_txn_begin(env, nullptr, create ? 0 : MDB_RDONLY, &t)); TCK(mdb_dbi_open(t, "nodes", create ? MDB_CREATE : 0, &nodes)); TCK(mdb_txn_commit(t));
    }
    void close() override { if (ro) { mdb_txn_abort(ro); ro = nullptr; } mdb_env_close(env); env = nullptr; }
    MDB_txn* begin() { if (!ro) TCK(mdb_txn_begin(env, nullptr, MDB_RDONLY, &ro)); else TCK(mdb_txn_renew(ro)); return ro; }

    // The segment of the root, the tag of a text, and a component for each name.
    LmdbTree& path() { key[0] = 0x14; key[1] = 0x02; length = 2; return *this; }
    LmdbTree& name(std::string_view s) { key[length++] = 5; memcpy(key + length, s.data(), s.size()); length += s.size(); key[length++] = 2; return *this; }
    MDB_val end() { key[length] = 0; return { length + 1, key }; }
    void put(MDB_txn* t, MDB_val k, int64_t v, unsigned f = 0) { uint8_t b[9]; b[0] = 5; memcpy(b + 1, &v, 8); MDB_val d{ 9, b }; TCK(mdb_put(t, nodes, &k, &d, f)); }
    void put(MDB_txn* t, MDB_val k, const std::string& v, unsigned f = 0) { uint8_t b[128]; b[0] = 8; memcpy(b + 1, v.data(), v.size()); MDB_val d{ v.size() + 1, b }; TCK(mdb_put(t, nodes, &k, &d, f)); }
    LmdbTree& message(int64_t i, const std::string& k) { return path().name("messages").name(TreeWorkload::page(i / 250)).name(k); }

    void loadPages(int64_t from, int64_t to) override {
        MDB_txn* t; TCK(mdb_txn_begin(env, nullptr, 0, &t)); Message m;
        for (int64_t i = from * 250; i < to * 250; i++) {
            gen_message(i, m); message(i, m.key); size_t n = length;
            put(t, name("at").end(), m.at); length = n; put(t, name("from").end(), m.from); length = n; put(t, name("likes").end(), m.likes); length = n; put(t, name("text").end(), m.text);
        }
        TCK(mdb_txn_commit(t));
    }
    void loadWide(int64_t from, int64_t to) override {
        MDB_txn* t; TCK(mdb_txn_begin(env, nullptr, 0, &t)); for (int64_t i = from; i < to; i++) put(t, path().name("wide").name(gen_wide(i)).end(), i * 3); TCK(mdb_txn_commit(t));
    }
    void setLikes(const Pick* picks, size_t count, int64_t first) override {
        MDB_txn* t; TCK(mdb_txn_begin(env, nullptr, 0, &t));
        for (size_t n = 0; n < count; n++) put(t, path().name("messages").name(picks[n].page).name(picks[n].key).name("likes").end(), TreeWorkload::newLikes(first + (int64_t)n));
        TCK(mdb_txn_commit(t));
    }
    bool importAll(const std::vector<Message>& all) override {
        MDB_txn* t; TCK(mdb_txn_begin(env, nullptr, 0, &t));
        for (size_t i = 0; i < all.size(); i++) {
            auto& m = all[i]; message((int64_t)i, m.key); size_t n = length; const unsigned f = MDB_APPEND;
            put(t, name("at").end(), m.at, f); length = n; put(t, name("from").end(), m.from, f); length = n; put(t, name("likes").end(), m.likes, f); length = n; put(t, name("text").end(), m.text, f);
        }
        TCK(mdb_txn_commit(t)); return true;
    }
    void exportAll(MessagesText& out) override {
        MDB_txn* t = begin(); path().name("messages");
        each(t, [&](std::string_view rest, const uint8_t* d, size_t n) { auto p = next(rest), k = next(rest), l = next(rest); if (d[0] == 5) out.leaf(p, k, l, integer(d)); else out.leaf(p, k, l, std::string_view((const char*)d + 1, n - 1)); });
        mdb_txn_reset(t); out.end();
    }
    uint64_t readWide(const std::vector<std::string>& keys) override {
        MDB_txn* t = begin(); uint64_t s = 0;
        for (auto& n : keys) { MDB_val k = path().name("wide").name(n).end(), d; TCK(mdb_get(t, nodes, &k, &d)); s += (uint64_t)integer((uint8_t*)d.mv_data); }
        mdb_txn_reset(t); return s;
    }
    // Calls f with the names below a place of a number of bytes, and the value.
    template <class F> void each(MDB_txn* t, F&& f) {
        size_t n = length; std::string prefix((char*)key, n); MDB_cursor* c; TCK(mdb_cursor_open(t, nodes, &c)); MDB_val k{ n, key }, d; int rc = mdb_cursor_get(c, &k, &d, MDB_SET_RANGE);
        while (rc == 0 && k.mv_size >= n && !memcmp(k.mv_data, prefix.data(), n)) { f(std::string_view((char*)k.mv_data + n, k.mv_size - n), (const uint8_t*)d.mv_data, d.mv_size); rc = mdb_cursor_get(c, &k, &d, MDB_NEXT); }
        mdb_cursor_close(c);
    }
    static std::string_view next(std::string_view& rest) { auto e = rest.find('\x02'); auto s = rest.substr(1, e - 1); rest.remove_prefix(e + 1); return s; }
    static int64_t integer(const uint8_t* d) { int64_t v; memcpy(&v, d + 1, 8); return v; }
    uint64_t readPage(const std::string& page) override {
        MDB_txn* t = begin(); uint64_t s = 0; path().name("messages").name(page);
        each(t, [&](std::string_view rest, const uint8_t* d, size_t n) { auto k = next(rest), l = next(rest); s += d[0] == 5 ? leaf_digest(k, l, integer(d)) : leaf_digest(k, l, std::string_view((const char*)d + 1, n - 1)); });
        mdb_txn_reset(t); return s;
    }
    uint64_t full() override {
        MDB_txn* t = begin(); uint64_t s = 0; path().name("messages");
        each(t, [&](std::string_view rest, const uint8_t* d, size_t n) { auto p = next(rest), k = next(rest), l = next(rest); s += d[0] == 5 ? leaf_hash(p, k, l, integer(d)) : leaf_hash(p, k, l, std::string_view((const char*)d + 1, n - 1)); });
        mdb_txn_reset(t); return s;
    }
    // One jump for each name: to what follows everything below it.
    uint64_t pageNames() override {
        MDB_txn* t = begin(); MDB_cursor* c; TCK(mdb_cursor_open(t, nodes, &c)); path().name("messages"); size_t n = length; std::string prefix((char*)key, n); MDB_val k{ n, key }, d; uint64_t acc = 0;
        std::vector<std::string> names;
        while (mdb_cursor_get(c, &k, &d, MDB_SET_RANGE) == 0 && k.mv_size > n && !memcmp(k.mv_data, prefix.data(), n)) {
            std::string_view rest((char*)k.mv_data + n, k.mv_size - n); auto s = next(rest); names.emplace_back(s);
            length = n; name(s); key[length] = 6; k = { length + 1, key };
        }
        mdb_cursor_close(c); mdb_txn_reset(t); for (auto& s : names) acc = ordered(acc, (uint8_t)s[s.size() - 1] * 31ULL + (uint8_t)s[2] + s.size());
        return acc;
    }
};
// An index of the wide node's children: the value in big-endian bytes, then the name.
struct LmdbRanked : LmdbTree {
    MDB_dbi index = 0;
    void open(const std::string& dir, bool create) override {
        LmdbTree::open(dir, create); MDB_txn* t; TCK(mdb_txn_begin(env, nullptr, create ? 0 : MDB_RDONLY, &t)); TCK(mdb_dbi_open(t, "index", create ? MDB_CREATE : 0, &index)); TCK(mdb_txn_commit(t));
    }
    void loadWide(int64_t from, int64_t to) override {
        MDB_txn* t; TCK(mdb_txn_begin(env, nullptr, 0, &t));
        for (int64_t i = from; i < to; i++) {
            auto n = gen_wide(i); put(t, path().name("wide").name(n).end(), i * 3);
            uint8_t b[64]; for (int j = 0; j < 8; j++) b[j] = (uint8_t)((uint64_t)(i * 3) >> (56 - 8 * j)); memcpy(b + 8, n.data(), n.size());
            MDB_val k{ 8 + n.size(), b }, d{ 0, b }; TCK(mdb_put(t, index, &k, &d, 0));
        }
        TCK(mdb_txn_commit(t));
    }
    uint64_t readLast(int64_t count) override {
        MDB_txn* t = begin(); MDB_cursor* c; TCK(mdb_cursor_open(t, index, &c)); MDB_val k, d; std::vector<std::string> names; int rc = mdb_cursor_get(c, &k, &d, MDB_LAST);
        while (rc == 0 && (int64_t)names.size() < count) { names.emplace_back((char*)k.mv_data + 8, k.mv_size - 8); rc = mdb_cursor_get(c, &k, &d, MDB_PREV); }
        mdb_cursor_close(c); uint64_t s = 0;
        for (size_t i = names.size(); i-- > 0;) { MDB_val n = path().name("wide").name(names[i]).end(); TCK(mdb_get(t, nodes, &n, &d)); s = TreeWorkload::addWide(s, names[i], integer((uint8_t*)d.mv_data)); }
        mdb_txn_reset(t); return s;
    }
};
std::unique_ptr<TreeStore> make_tree(const std::string& kind) {
    if (kind == "ranked") return std::make_unique<LmdbRanked>();
    return std::unique_ptr<TreeStore>(kind == "json" ? nullptr : new LmdbTree);
}
