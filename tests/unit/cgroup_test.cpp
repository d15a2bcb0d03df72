#include "judge/cgroup.h"

#include <doctest/doctest.h>

using forensics::cgroup_owner;

namespace {

const std::string id_a(64, 'a'), id_b(64, 'b');

}  // namespace

TEST_CASE("container ids in the paths of engines and drivers") {
  const std::string uid = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0", uid_ = "0f1e2d3c_4b5a_6978_8796_a5b4c3d2e1f0";
  CHECK(cgroup_owner("/docker/" + id_a).container_id == id_a);
  CHECK(cgroup_owner("/docker/" + id_a).engine == "docker");
  CHECK(cgroup_owner("/jobs/" + id_a).container_id == id_a);
  CHECK(cgroup_owner("/system.slice/docker-" + id_a + ".scope").container_id == id_a);
  CHECK(cgroup_owner("/system.slice/docker-" + id_a + ".scope").unit.empty());
  CHECK(
      cgroup_owner("/user.slice/user-1000.slice/user@1000.service/user.slice/docker-" + id_a + ".scope").container_id ==
      id_a);
  CHECK(
      cgroup_owner("/user.slice/user-1000.slice/user@1000.service/user.slice/docker-" + id_a + ".scope").unit.empty());
  const auto cgroupfs = cgroup_owner("/kubepods/burstable/pod" + uid + "/" + id_a);
  CHECK(cgroupfs.container_id == id_a);
  CHECK(cgroupfs.pod_uid == uid);
  const auto systemd = cgroup_owner("/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" + uid_ +
                                    ".slice/cri-containerd-" + id_a + ".scope");
  CHECK(systemd.container_id == id_a);
  CHECK(systemd.engine == "containerd");
  CHECK(systemd.pod_uid == uid);
  CHECK(cgroup_owner("/kubepods.slice/kubepods-pod" + uid_ + ".slice/crio-" + id_a + ".scope").engine == "crio");
  CHECK(cgroup_owner("/machine.slice/libpod-" + id_a + ".scope/container").container_id == id_a);
  CHECK(cgroup_owner("/libpod_parent/libpod-" + id_a).engine == "podman");
}

TEST_CASE("in nested paths the last container counts") {
  const auto owner = cgroup_owner("/docker/" + id_a + "/docker/" + id_b);
  CHECK(owner.container_id == id_b);
  CHECK(cgroup_owner("/docker/" + id_a + "/kubelet/kubepods/burstable/pod1/" + id_b).container_id == id_b);
  // systemd inside a container: its units are its own business.
  const auto inner = cgroup_owner("/docker/" + id_a + "/system.slice/nginx.service");
  CHECK(inner.container_id == id_a);
  CHECK(inner.unit.empty());
}

TEST_CASE("a monitor beside the container is not the container") {
  CHECK(cgroup_owner("/machine.slice/libpod-conmon-" + id_a + ".scope").container_id.empty());
  CHECK(cgroup_owner("/kubepods.slice/crio-conmon-" + id_a + ".scope").container_id.empty());
}

TEST_CASE("a quadlet is a unit and a container") {
  const auto owner = cgroup_owner("/system.slice/web.service/libpod-payload-" + id_a);
  CHECK(owner.container_id == id_a);
  CHECK(owner.unit == "web.service");
}

TEST_CASE("units and machines") {
  CHECK(cgroup_owner("/system.slice/nginx.service").unit == "nginx.service");
  CHECK(cgroup_owner("/user.slice/user-1000.slice/session-3.scope").unit == "session-3.scope");
  CHECK(cgroup_owner("/user.slice/user-1000.slice/user@1000.service/app.slice/editor.service").unit ==
        "editor.service");
  CHECK(cgroup_owner("/lxc.payload.web/system.slice/nginx.service").container_name == "web");
  CHECK(cgroup_owner("/lxc/web").container_name == "web");
  CHECK(cgroup_owner("/machine.slice/machine-qemu\\x2d1\\x2dbuild.scope").container_name == "build");
  CHECK(cgroup_owner("/machine.slice/machine-qemu\\x5cx2d1\\x5cx2dbuild.scope").container_name == "build");
}

TEST_CASE("what is no container") {
  for (const char* path :
       {"", "/", "//", "/docker/", "/docker/abc", "/system.slice/docker.service", "/init.scope", "\\x", "/a\\x2"})
    CHECK_MESSAGE(cgroup_owner(path).container_id.empty(), path);
  CHECK(cgroup_owner("/docker/" + std::string(63, 'a') + "g").container_id.empty());
}
