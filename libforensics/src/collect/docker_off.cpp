// A build without Boost.Beast.
#include "collect/docker_api.h"

namespace forensics {

EngineAnswer EngineClient::get(std::string_view) const {
  EngineAnswer answer;
  answer.trouble = EngineTrouble::unsupported;
  answer.why = "this build cannot ask a container engine (FORENSICS_WITH_DOCKER is off)";
  return answer;
}

}  // namespace forensics
