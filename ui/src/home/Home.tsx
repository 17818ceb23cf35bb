import { useQuery } from "@tanstack/react-query";
import { api, taken } from "../api/client";
import { t } from "../words/words";

export function Home() {
  const user = useQuery({ queryKey: ["user"], queryFn: () => taken(api.GET("/v1/user")) });
  return (
    <main>
      <h1>{t("home.title")}</h1>
      <p>{user.data?.displayName}</p>
    </main>
  );
}
