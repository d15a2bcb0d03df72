# bash completion for why-died

_why_died() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} i
  local options="--in --format --rules --timezone --year --around --docker-host --out --causes --since --until --window
    --source --boot --severity --tmpdir --quiet --verbose
    --no-color --help --version"
  COMPREPLY=()
  case $previous in
    --format) COMPREPLY=($(compgen -W "text json ndjson" -- "$word")); return ;;
    --rules) compopt -o filenames; COMPREPLY=($(compgen -d -- "$word")); return ;;
    --out) compopt -o filenames; COMPREPLY=($(compgen -f -- "$word")); return ;;
    --timezone | --year | --around | --docker-host | --since | --until | --window | --source | --boot) return ;;
    --severity) COMPREPLY=($(compgen -W "emerg alert crit err warning notice info debug" -- "$word")); return ;;
    --tmpdir) compopt -o filenames; COMPREPLY=($(compgen -d -- "$word")); return ;;
    rules) COMPREPLY=($(compgen -W "list show check test" -- "$word")); return ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    return
  fi
  # Files after --in (up to the next option) and after batch; else a command or a container that there is.
  for ((i = COMP_CWORD - 1; i > 0; --i)); do
    case ${COMP_WORDS[i]} in
      --in | batch | check | test) compopt -o filenames; COMPREPLY=($(compgen -f -- "$word")); return ;;
      -*) break ;;
    esac
  done
  local names
  names=$(docker ps --all --format '{{.Names}}' 2>/dev/null)
  COMPREPLY=($(compgen -W "batch timeline rules host $names" -- "$word"))
}
complete -F _why_died why-died
