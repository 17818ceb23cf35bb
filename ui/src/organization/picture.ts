// A picture of somebody's device as an address that the API takes.

// side is how wide and high a logo is at most: four times what any place of the app shows.
const side = 512;
const kept = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"]);
// light is how many bytes a picture may have that is sent as it is.
const light = 256 * 1024;

// dataURL returns a picture as a data URL, made smaller when it is large. It fails for a file that is no picture.
export async function dataURL(file: File): Promise<string> {
  const picture = await createImageBitmap(file);
  if (kept.has(file.type) && file.size <= light && Math.max(picture.width, picture.height) <= side) return read(file);
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}

function read(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error());
    reader.readAsDataURL(file);
  });
}
