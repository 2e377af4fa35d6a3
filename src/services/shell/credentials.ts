/** Where credentials lie, below the home folder. Hidden in the sandbox, each as an empty file or folder. */
export const credentialPlaces: ReadonlyArray<string> = [
  // keys and agents
  ".ssh", ".gnupg", ".pki", ".password-store", ".local/share/keyrings", ".vault-token", ".config/sops", ".config/op", ".age", ".local/share/gnupg",
  ".authinfo", ".authinfo.gpg", ".config/1Password", ".config/Bitwarden CLI", ".config/keepassxc", ".putty", ".tsh",
  // clouds and clusters
  ".aws", ".azure", ".config/gcloud", ".kube", ".docker", ".config/containers", ".oci", ".fly", ".config/doctl", ".terraform.d",
  ".terraformrc", ".config/rclone", ".s3cfg", ".boto", ".databrickscfg", ".snowflake", ".config/heroku", ".config/netlify", ".vercel",
  ".config/ngrok", ".ngrok2", ".minikube", ".pulumi", ".railway", ".config/hcloud", ".config/linode-cli", ".config/scw", ".config/stripe",
  ".config/.wrangler", ".wrangler", ".supabase", ".expo", ".snowsql", ".kaggle", ".ansible/galaxy_token", ".config/configstore",
  // forges and registries
  ".config/gh", ".config/hub", ".config/glab-cli", ".git-credentials", ".config/git/credentials", ".netrc", ".npmrc", ".yarnrc",
  ".yarnrc.yml", ".pypirc", ".config/pip", ".pip", ".gem/credentials", ".cargo/credentials", ".cargo/credentials.toml",
  ".m2/settings.xml", ".m2/settings-security.xml", ".gradle/gradle.properties", ".config/composer/auth.json", ".composer/auth.json",
  ".nuget/NuGet", ".config/NuGet", ".subversion/auth", ".sentryclirc", ".wgetrc", ".curlrc", ".config/filezilla", ".msmtprc", ".config/msmtp", ".fetchmailrc",
  // databases
  ".pgpass", ".my.cnf", ".mylogin.cnf", ".config/mongodb",
  // models and other agents
  ".claude", ".claude.json", ".codex", ".gemini", ".config/github-copilot", ".config/opencode", ".local/share/opencode",
  ".huggingface", ".cache/huggingface/token", ".config/openai", ".cursor", ".config/crush", ".local/share/crush", ".aider.conf.yml", ".continue",
  // money
  ".bitcoin", ".ethereum", ".electrum", ".config/solana",
  // what browsers and mail programs keep
  ".mozilla", ".thunderbird", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge",
  // what was typed before
  ".bash_history", ".zsh_history", ".local/share/fish/fish_history", ".python_history", ".node_repl_history", ".psql_history",
  ".mysql_history", ".sqlite_history", ".irb_history", ".rediscli_history", ".mongosh", ".lesshst", ".viminfo"
]
/** The same for the system: what only root reads, and doors to daemons that run as root. */
export const systemPlaces: ReadonlyArray<string> = [
  "/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/ssl/private", "/etc/kubernetes",
  "/var/lib/lxd", "/var/lib/incus", "/var/snap/lxd", "/var/lib/docker", "/var/lib/containerd", "/var/spool/cron"
]

const credentialName =
  /(^|_)(API_?KEY|ACCESS_KEY|SECRET(_KEY)?|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|PRIVATE_KEY|AUTH|PAT)(_ID|_FILE)?$|^(AWS|AZURE|GOOGLE|GCP|VAULT|KUBE)_|_AUTH_SOCK$|^(KUBECONFIG|DOCKER_HOST|CONTAINER_HOST|GPG_AGENT_INFO|DBUS_.*|XAUTHORITY|DISPLAY|WAYLAND_DISPLAY|XDG_RUNTIME_DIR|DATABASE_URL|NETRC)$/i

/** The environment without what opens doors. */
export const withoutCredentials = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !credentialName.test(name)))
