// Files, memory and processes.
#pragma once
#include "common.hpp"

static inline void sh(const std::string& c) { if (system(c.c_str()) != 0) DIE("command failed: %s", c.c_str()); }

template <class F> static void each_file(const std::string& d, F&& f) {
    DIR* dd = opendir(d.c_str()); if (!dd) return;
    while (auto* e = readdir(dd)) {
        if (e->d_name[0] == '.') continue;
        std::string p = d + "/" + e->d_name; struct stat st;
        if (lstat(p.c_str(), &st)) continue;
        if (S_ISDIR(st.st_mode)) each_file(p, f);
        else if (S_ISREG(st.st_mode)) f(p, st);
    }
    closedir(dd);
}
static inline uint64_t dir_bytes(const std::string& d) {
    uint64_t t = 0; each_file(d, [&](const std::string&, const struct stat& st) { t += (uint64_t)st.st_size; }); return t;
}
static inline void sync_path(const std::string& p) { int fd = ::open(p.c_str(), O_RDONLY); if (fd >= 0) { fsync(fd); ::close(fd); } }

// Puts a directory with its files on the disk, so that no row pays for what was done before it.
static inline void sync_dir(const std::string& d) {
    each_file(d, [](const std::string& p, const struct stat&) { sync_path(p); }); sync_path(d);
}
static inline void fresh_dir(const std::string& d) { sh("rm -rf '" + d + "' && mkdir -p '" + d + "'"); }
static inline void fresh_copy(const std::string& from, const std::string& to) {
    sh("rm -rf '" + to + "' && cp -r '" + from + "' '" + to + "'"); sync_dir(to);
}

static inline long status_kb(const char* key) {
    FILE* f = fopen("/proc/self/status", "r"); char l[256]; long v = -1; size_t n = strlen(key);
    while (fgets(l, sizeof l, f)) if (!strncmp(l, key, n) && l[n] == ':') { v = atol(l + n + 1); break; }
    fclose(f); return v;
}

// What the disk takes for a block of 4 KiB: overwritten in place, and synchronised.
static inline double disk_sync(const std::string& dir) {
    std::string f = dir + "/block"; int fd = ::open(f.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0644); REQUIRE(fd >= 0);
    char b[4096]; memset(b, 1, sizeof b);
    for (int i = 0; i < 256; i++) REQUIRE(pwrite(fd, b, 4096, (off_t)i * 4096) == 4096);
    fsync(fd); double s = now_s();
    for (int i = 0; i < 200; i++) { b[0] = i; REQUIRE(pwrite(fd, b, 4096, (off_t)(i % 256) * 4096) == 4096); fdatasync(fd); }
    double e = now_s(); ::close(fd); unlink(f.c_str()); return (e - s) / 200;
}

// What this program prints in a process of its own.
static std::string run_self(const std::vector<std::string>& args) {
    char exe[4096]; ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1); REQUIRE(n > 0); exe[n] = 0;
    std::vector<char*> av{ exe }; for (auto& a : args) av.push_back((char*)a.c_str()); av.push_back(nullptr);
    int p[2]; REQUIRE(pipe(p) == 0); pid_t pid = vfork();
    if (pid == 0) { dup2(p[1], 1); ::close(p[0]); ::close(p[1]); execv(exe, av.data()); _exit(127); }
    ::close(p[1]); std::string out; char b[4096]; ssize_t k;
    while ((k = read(p[0], b, sizeof b)) > 0) out.append(b, k);
    ::close(p[0]); int st; waitpid(pid, &st, 0);
    if (!WIFEXITED(st) || WEXITSTATUS(st)) DIE("child %s failed: %s", args[0].c_str(), out.c_str());
    return out;
}
